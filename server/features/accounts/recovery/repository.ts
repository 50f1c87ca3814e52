import { and, eq, gt, lte } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { passwordResets, users } from '#server/database/schema';

/** Links by which somebody sets a new password, found by the hash of their secret. */
export class RecoveryRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Stores a link that whoever runs the server takes to its owner. */
  async insert(link: typeof passwordResets.$inferInsert): Promise<void> {
    await this.#db.insert(passwordResets).values(link);
  }

  /**
   * Stores a link that a letter takes to its account's address.
   * @param since when such a letter after this moment, whose link was not used, stands for another; null: none does
   * @returns whether it was stored
   */
  async insertSent(link: typeof passwordResets.$inferInsert, since: Date | null): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      // One after the other per account, or many at once would each be the first.
      await tx.select({ id: users.id }).from(users).where(eq(users.id, link.userId)).for('no key update');
      if (since) {
        const sent = and(eq(passwordResets.userId, link.userId), gt(passwordResets.sentAt, since));
        const [another] = await tx.select({ at: passwordResets.sentAt }).from(passwordResets).where(sent);
        if (another) return false;
      }
      await tx.insert(passwordResets).values(link);
      return true;
    });
  }

  async delete(secretHash: string): Promise<void> {
    await this.#db.delete(passwordResets).where(eq(passwordResets.secretHash, secretHash));
  }

  /** Whose link it is, while it has not expired by `now`. */
  async findOwner(secretHash: string, now: Date) {
    const [owner] = await this.#db
      .select({ id: users.id, name: users.name, email: users.email })
      .from(passwordResets)
      .innerJoin(users, eq(users.id, passwordResets.userId))
      .where(and(eq(passwordResets.secretHash, secretHash), gt(passwordResets.expiresAt, now)));
    return owner ?? null;
  }

  /**
   * Uses a link up, with its account's others, and gives the account its password.
   * @returns whether the link was still there: of two who use it at once one does
   */
  async use(secretHash: string, userId: string, passwordHash: string): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      // The user first, as whoever changes a password: two that wait for each other would never end.
      await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
      const used = await tx
        .delete(passwordResets)
        .where(eq(passwordResets.secretHash, secretHash))
        .returning({ userId: passwordResets.userId });
      if (used.length === 0) return false;
      await tx.delete(passwordResets).where(eq(passwordResets.userId, userId));
      await tx.update(users).set({ passwordHash }).where(eq(users.id, userId));
      return true;
    });
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.#db.delete(passwordResets).where(lte(passwordResets.expiresAt, now));
  }
}
