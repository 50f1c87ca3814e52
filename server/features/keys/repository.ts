import { and, count, desc, eq, gt, isNull, lt, or } from 'drizzle-orm';
import { workspaceActs } from '#server/database/held-accounts';
import type { Db } from '#server/database/open';
import { apiKeys } from '#server/database/schema';

export type ApiKeyRecord = typeof apiKeys.$inferSelect;

/** Keys of workspaces. Ids must be well-formed UUIDs; the service checks them. */
export class KeysRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async insert(key: ApiKeyRecord): Promise<void> {
    await this.#db.insert(apiKeys).values(key);
  }

  /** Newest first. */
  async list(workspaceId: string): Promise<ApiKeyRecord[]> {
    return this.#db
      .select()
      .from(apiKeys)
      .where(eq(apiKeys.workspaceId, workspaceId))
      .orderBy(desc(apiKeys.id));
  }

  async count(workspaceId: string): Promise<number> {
    const [row] = await this.#db
      .select({ keys: count() })
      .from(apiKeys)
      .where(eq(apiKeys.workspaceId, workspaceId));
    return row?.keys ?? 0;
  }

  async delete(workspaceId: string, id: string): Promise<ApiKeyRecord | null> {
    const [row] = await this.#db
      .delete(apiKeys)
      .where(and(eq(apiKeys.workspaceId, workspaceId), eq(apiKeys.id, id)))
      .returning();
    return row ?? null;
  }

  /** A key that has not expired by `now`, of whichever workspace; null also while its workspace is held. */
  async findByHash(hash: string, now: Date): Promise<ApiKeyRecord | null> {
    const [row] = await this.#db
      .select()
      .from(apiKeys)
      .where(
        and(
          eq(apiKeys.hash, hash),
          or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
          workspaceActs(apiKeys.workspaceId),
        ),
      );
    return row ?? null;
  }

  /** Stores `now` as the last use, unless one after `before` is stored. */
  async noteUse(id: string, now: Date, before: Date): Promise<void> {
    await this.#db
      .update(apiKeys)
      .set({ lastUsedAt: now })
      .where(and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, before))));
  }
}
