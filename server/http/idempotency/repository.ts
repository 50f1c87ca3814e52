import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { idempotencyKeys } from '#server/database/schema';

interface KeyedRequest {
  userId: string;
  key: string;
  /** Hash of method, path and body. */
  requestHash: string;
}

type IdempotencyRecord = typeof idempotencyKeys.$inferSelect;

/** Answers to requests with an Idempotency-Key. Every statement is limited to the owner. */
export class IdempotencyRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Claims a key for a request. A key used before `expired`, or claimed before `abandoned` and never
   * answered, is free again.
   * @returns false if another request has it
   */
  async claim(request: KeyedRequest, at: { now: Date; expired: Date; abandoned: Date }): Promise<boolean> {
    const fresh = { requestHash: request.requestHash, status: null, body: null, createdAt: at.now };
    const claimed = await this.#db
      .insert(idempotencyKeys)
      .values({ ...request, ...fresh })
      .onConflictDoUpdate({
        target: [idempotencyKeys.userId, idempotencyKeys.key],
        set: fresh,
        setWhere: or(
          lt(idempotencyKeys.createdAt, at.expired),
          and(
            isNull(idempotencyKeys.status),
            eq(idempotencyKeys.requestHash, request.requestHash),
            lt(idempotencyKeys.createdAt, at.abandoned),
          ),
        ),
      })
      .returning({ key: idempotencyKeys.key });
    return claimed.length === 1;
  }

  async find(userId: string, key: string): Promise<IdempotencyRecord | null> {
    const [record] = await this.#db.select().from(idempotencyKeys).where(owned(userId, key));
    return record ?? null;
  }

  async answer(userId: string, key: string, status: number, body: unknown): Promise<void> {
    await this.#db
      .update(idempotencyKeys)
      .set({ status, body: body === undefined ? sql`null` : body })
      .where(owned(userId, key));
  }

  /** Frees the key of a failed request, so that it may be retried. */
  async release(userId: string, key: string): Promise<void> {
    await this.#db.delete(idempotencyKeys).where(owned(userId, key));
  }

  async deleteBefore(expired: Date): Promise<void> {
    await this.#db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, expired));
  }
}

const owned = (userId: string, key: string) =>
  and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key));
