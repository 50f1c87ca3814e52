import { and, eq, gt, lte } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { passwordResets, users } from '#server/database/schema';

/** Links that set a new password, found by the hash of their secret. */
export class RecoveryRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Stores a link that the operator hands to the account's owner. */
  async insert(link: typeof passwordResets.$inferInsert): Promise<void> {
    await this.#db.insert(passwordResets).values(link);
  }

  /**
   * Stores a link that is mailed to the account's address.
   * @param since an unused link mailed after this moment makes another one unnecessary; null: no such limit
   * @returns whether it was stored
   */
  async insertSent(link: typeof passwordResets.$inferInsert, since: Date | null): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      // Serialised per account; otherwise many simultaneous requests would each be the first.
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

  /** The owner of a link that has not expired by `now`. */
  async findOwner(secretHash: string, now: Date) {
    const [owner] = await this.#db
      .select({ id: users.id, name: users.name, email: users.email })
      .from(passwordResets)
      .innerJoin(users, eq(users.id, passwordResets.userId))
      .where(and(eq(passwordResets.secretHash, secretHash), gt(passwordResets.expiresAt, now)));
    return owner ?? null;
  }

  /**
   * Uses up a link and all others of its account, and sets the account's password.
   * @returns whether the link was still there: only one of two simultaneous uses succeeds
   */
  async use(secretHash: string, userId: string, passwordHash: string): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      // Locks the user first, like a change of password does, to avoid a deadlock.
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
