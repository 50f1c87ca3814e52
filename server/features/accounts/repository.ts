import { and, eq, gt, lt, sql } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { sessions, signInAddresses, users } from '#server/database/schema';

export type UserRecord = typeof users.$inferSelect;
type NewUser = Pick<UserRecord, 'id' | 'name' | 'email' | 'passwordHash'>;

/** Users, their sessions, and from where they have signed in before. Sessions are found by the hash of their token only. */
export class AccountsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** @returns false when the email address has an account already, also when it was made at the same moment */
  async insertUser(user: NewUser): Promise<boolean> {
    const made = await this.#db
      .insert(users)
      .values(user)
      .onConflictDoNothing({ target: users.email })
      .returning({ id: users.id });
    return made.length === 1;
  }

  async findByEmail(email: string): Promise<UserRecord | null> {
    const [user] = await this.#db.select().from(users).where(eq(users.email, email));
    return user ?? null;
  }

  async insertSession(session: typeof sessions.$inferInsert): Promise<void> {
    await this.#db.insert(sessions).values(session);
  }

  /** The user of a session that has not expired by `now`. */
  async findSession(
    tokenHash: string,
    now: Date,
  ): Promise<{ user: Pick<UserRecord, 'id' | 'name' | 'email'>; expiresAt: Date } | null> {
    const [found] = await this.#db
      .select({
        user: { id: users.id, name: users.name, email: users.email },
        expiresAt: sessions.expiresAt,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, now)));
    return found ?? null;
  }

  async extendSession(tokenHash: string, expiresAt: Date): Promise<void> {
    await this.#db.update(sessions).set({ expiresAt }).where(eq(sessions.tokenHash, tokenHash));
  }

  async deleteSession(tokenHash: string): Promise<void> {
    await this.#db.delete(sessions).where(eq(sessions.tokenHash, tokenHash));
  }

  async hasSignedInFrom(userId: string, addressHash: string): Promise<boolean> {
    const found = await this.#db
      .select({ at: signInAddresses.lastAt })
      .from(signInAddresses)
      .where(and(eq(signInAddresses.userId, userId), eq(signInAddresses.addressHash, addressHash)));
    return found.length > 0;
  }

  async rememberAddress(userId: string, addressHash: string, at: Date): Promise<void> {
    await this.#db
      .insert(signInAddresses)
      .values({ userId, addressHash, lastAt: at })
      .onConflictDoUpdate({
        target: [signInAddresses.userId, signInAddresses.addressHash],
        set: { lastAt: sql`excluded.last_at` },
      });
  }

  /** Removes sessions that have expired by `now`, and addresses that nobody signed in from since `addressesSince`. */
  async deleteExpired(now: Date, addressesSince: Date): Promise<void> {
    await this.#db.delete(sessions).where(lt(sessions.expiresAt, now));
    await this.#db.delete(signInAddresses).where(lt(signInAddresses.lastAt, addressesSince));
  }
}
