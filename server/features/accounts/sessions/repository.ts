import { and, desc, eq, gt, inArray, isNotNull, lte, ne, notInArray, or, sql } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { installationSettings, secondFactors, sessions, signInTickets, users } from '#server/database/schema';
import { whereRoom } from '#server/lib/database-away';
import type { EndedSession } from './session-ends.ts';

type SessionRecord = typeof sessions.$inferSelect;
type NewSession = Pick<
  SessionRecord,
  'id' | 'tokenHash' | 'userId' | 'createdAt' | 'expiresAt' | 'userAgent' | 'address'
>;

/** Conditions of an active session: not expired by `now`, and used after `usedSince`. */
interface Alive {
  now: Date;
  usedSince: Date;
}
const isAlive = ({ now, usedSince }: Alive) =>
  and(gt(sessions.expiresAt, now), gt(sessions.lastUsedAt, usedSince));

const ended = { sessionId: sessions.id, userId: sessions.userId };

/** Sessions, found by the hash of their token. Ids must be well-formed UUIDs. */
export class SessionsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Stores a session, if the user's password is still the checked one: a change meanwhile has ended it already.
   * @param ticketHash of the ticket of the sign-in; null if it used a password
   * @returns false for another password, a held account, and a ticket that was used, ended or is too old
   */
  async insert(
    session: NewSession,
    passwordHash: string | null,
    ticketHash: string | null,
  ): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      const [user] = await tx
        .select({ passwordHash: users.passwordHash, heldAt: users.heldAt })
        .from(users)
        .where(eq(users.id, session.userId))
        .for('share');
      if (!user || user.heldAt || user.passwordHash !== passwordHash) return false;
      if (ticketHash !== null) {
        const used = await tx
          .delete(signInTickets)
          .where(
            and(
              eq(signInTickets.ticketHash, ticketHash),
              eq(signInTickets.userId, session.userId),
              gt(signInTickets.expiresAt, session.createdAt),
            ),
          )
          .returning({ userId: signInTickets.userId });
        if (used.length === 0) return false;
      }
      await tx.insert(sessions).values({ ...session, lastUsedAt: session.createdAt });
      return true;
    });
  }

  /** An active session with its user; whether the user has a second factor, and whether every user must. */
  async find(tokenHash: string, { now, usedSince }: Alive) {
    const [found] = await this.#db
      .select({
        id: sessions.id,
        lastUsedAt: sessions.lastUsedAt,
        user: {
          id: users.id,
          workspaceId: users.workspaceId,
          name: users.name,
          email: users.email,
          role: users.role,
          isInstallationOwner: users.isInstallationOwner,
        },
        hasSecondFactor: isNotNull(secondFactors.confirmedAt),
        needsSecondFactor: sql<boolean>`exists (select 1 from ${installationSettings} where ${installationSettings.name} = 'second-factor' and ${installationSettings.value} = '"required"')`,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .leftJoin(secondFactors, eq(secondFactors.userId, sessions.userId))
      .where(and(eq(sessions.tokenHash, tokenHash), isAlive({ now, usedSince })));
    return found ?? null;
  }

  /** Stores when a session was last used. On a full disk, the session works without this. */
  async touch(id: string, lastUsedAt: Date): Promise<void> {
    await whereRoom(() => this.#db.update(sessions).set({ lastUsedAt }).where(eq(sessions.id, id)));
  }

  /** A user's active sessions, last used first. */
  async list(userId: string, alive: Alive): Promise<SessionRecord[]> {
    return this.#db
      .select()
      .from(sessions)
      .where(and(eq(sessions.userId, userId), isAlive(alive)))
      .orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt));
  }

  /** The active ones of these sessions. */
  async alive(ids: readonly string[], alive: Alive): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await this.#db
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(inArray(sessions.id, [...ids]), isAlive(alive)));
    return rows.map(({ id }) => id);
  }

  async delete(userId: string, id: string): Promise<EndedSession[]> {
    return this.#db
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), eq(sessions.id, id)))
      .returning(ended);
  }

  /** Also deletes tickets, which would become sessions. @param except the session that stays */
  async deleteAll(userId: string, except?: string): Promise<EndedSession[]> {
    return this.#db.transaction(async (tx) => {
      // Locks the user first, like storing a session does, to avoid a deadlock.
      await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
      await tx.delete(signInTickets).where(eq(signInTickets.userId, userId));
      return tx
        .delete(sessions)
        .where(and(eq(sessions.userId, userId), except === undefined ? undefined : ne(sessions.id, except)))
        .returning(ended);
    });
  }

  /** When a session began; null if it has ended. */
  async begunAt(id: string): Promise<Date | null> {
    const [row] = await this.#db.select({ at: sessions.createdAt }).from(sessions).where(eq(sessions.id, id));
    return row?.at ?? null;
  }

  /** Ends the sessions of all users without a second factor. */
  async deleteAllWithoutSecondFactor(): Promise<EndedSession[]> {
    const withOne = this.#db
      .select({ userId: secondFactors.userId })
      .from(secondFactors)
      .where(isNotNull(secondFactors.confirmedAt));
    return this.#db.delete(sessions).where(notInArray(sessions.userId, withOne)).returning(ended);
  }

  async deleteByToken(tokenHash: string): Promise<EndedSession[]> {
    return this.#db.delete(sessions).where(eq(sessions.tokenHash, tokenHash)).returning(ended);
  }

  async deleteExpired({ now, usedSince }: Alive): Promise<EndedSession[]> {
    return this.#db
      .delete(sessions)
      .where(or(lte(sessions.expiresAt, now), lte(sessions.lastUsedAt, usedSince)))
      .returning(ended);
  }
}
