import { and, desc, eq, gt, isNotNull, lte, ne, notInArray, sql } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { installationSettings, secondFactors, sessions, users } from '#server/database/schema';
import type { EndedSession } from './session-ends.ts';

type SessionRecord = typeof sessions.$inferSelect;
type NewSession = Pick<
  SessionRecord,
  'id' | 'tokenHash' | 'userId' | 'createdAt' | 'expiresAt' | 'userAgent' | 'address'
>;

const ended = { sessionId: sessions.id, userId: sessions.userId };

/** Sessions, found by the hash of their token. Ids must be well-formed UUIDs. */
export class SessionsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Stores a session, if the user's password is still the one that was checked: a change meanwhile has ended it already.
   * @returns whether it was
   */
  async insert(session: NewSession, passwordHash: string | null): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      const [user] = await tx
        .select({ passwordHash: users.passwordHash })
        .from(users)
        .where(eq(users.id, session.userId))
        .for('share');
      if (!user || user.passwordHash !== passwordHash) return false;
      await tx.insert(sessions).values({ ...session, lastUsedAt: session.createdAt });
      return true;
    });
  }

  /** A session that is not over by `now`, and its user; whether they have a second factor, and whether everybody must. */
  async find(tokenHash: string, now: Date) {
    const [found] = await this.#db
      .select({
        id: sessions.id,
        lastUsedAt: sessions.lastUsedAt,
        user: { id: users.id, name: users.name, email: users.email, role: users.role },
        hasSecondFactor: isNotNull(secondFactors.confirmedAt),
        needsSecondFactor: sql<boolean>`exists (select 1 from ${installationSettings} where ${installationSettings.name} = 'second-factor' and ${installationSettings.value} = '"required"')`,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .leftJoin(secondFactors, eq(secondFactors.userId, sessions.userId))
      .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, now)));
    return found ?? null;
  }

  async touch(id: string, lastUsedAt: Date): Promise<void> {
    await this.#db.update(sessions).set({ lastUsedAt }).where(eq(sessions.id, id));
  }

  /** A user's sessions that are not over by `now`, the last used one first. */
  async list(userId: string, now: Date): Promise<SessionRecord[]> {
    return this.#db
      .select()
      .from(sessions)
      .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
      .orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt));
  }

  async delete(userId: string, id: string): Promise<EndedSession[]> {
    return this.#db
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), eq(sessions.id, id)))
      .returning(ended);
  }

  /** @param except the one that stays */
  async deleteAll(userId: string, except?: string): Promise<EndedSession[]> {
    return this.#db
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), except === undefined ? undefined : ne(sessions.id, except)))
      .returning(ended);
  }

  /** When a session began; null for one that is over. */
  async begunAt(id: string): Promise<Date | null> {
    const [row] = await this.#db.select({ at: sessions.createdAt }).from(sessions).where(eq(sessions.id, id));
    return row?.at ?? null;
  }

  /** Ends the sessions of everybody who has no second factor. */
  async deleteAllWithoutSecondFactor(): Promise<EndedSession[]> {
    const withOne = this.#db
      .select({ userId: secondFactors.userId })
      .from(secondFactors)
      .where(isNotNull(secondFactors.confirmedAt));
    return this.#db.delete(sessions).where(notInArray(sessions.userId, withOne)).returning(ended);
  }

  async deleteExpired(now: Date): Promise<EndedSession[]> {
    return this.#db.delete(sessions).where(lte(sessions.expiresAt, now)).returning(ended);
  }
}
