import { and, desc, eq, ilike, lt, or } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { contacts } from '#server/database/schema';

export type ContactRecord = typeof contacts.$inferSelect;

/**
 * The contacts of a workspace. Every statement names the workspace. Ids must be well-formed UUIDs; the service checks
 * them.
 */
export class ContactsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Newest first.
   * @param part of a name, an address, a number or an external id; null: any
   * @param before only older ones than this; null: from the newest
   */
  async list(
    workspaceId: string,
    part: string | null,
    before: string | null,
    limit: number,
  ): Promise<ContactRecord[]> {
    const like = part === null ? null : `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`;
    const { name, email, phone, externalId } = contacts;
    return this.#db
      .select()
      .from(contacts)
      .where(
        and(
          eq(contacts.workspaceId, workspaceId),
          before === null ? undefined : lt(contacts.id, before),
          like === null
            ? undefined
            : or(...[name, email, phone, externalId].map((each) => ilike(each, like))),
        ),
      )
      .orderBy(desc(contacts.id))
      .limit(limit);
  }

  async find(workspaceId: string, id: string): Promise<ContactRecord | null> {
    const [row] = await this.#db
      .select()
      .from(contacts)
      .where(and(eq(contacts.workspaceId, workspaceId), eq(contacts.id, id)));
    return row ?? null;
  }

  async delete(workspaceId: string, id: string): Promise<void> {
    await this.#db.delete(contacts).where(and(eq(contacts.workspaceId, workspaceId), eq(contacts.id, id)));
  }
}
