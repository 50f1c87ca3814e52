import { and, eq, lt, sql } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { signInAddresses, users } from '#server/database/schema';

export type UserRecord = typeof users.$inferSelect;
type NewUser = Pick<UserRecord, 'id' | 'name' | 'email' | 'passwordHash'>;

/** Users, and from where they have signed in before. */
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

  async find(id: string): Promise<UserRecord | null> {
    const [user] = await this.#db.select().from(users).where(eq(users.id, id));
    return user ?? null;
  }

  async changePassword(id: string, passwordHash: string): Promise<void> {
    await this.#db.update(users).set({ passwordHash }).where(eq(users.id, id));
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

  /** Forgets addresses that nobody signed in from since then. */
  async deleteAddresses(since: Date): Promise<void> {
    await this.#db.delete(signInAddresses).where(lt(signInAddresses.lastAt, since));
  }
}
