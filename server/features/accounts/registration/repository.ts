import { and, desc, eq, gt, lte } from 'drizzle-orm';
import { readInstallationSetting, settleInstallationSetting } from '#server/database/installation-settings';
import type { Db } from '#server/database/open';
import { invitations, users } from '#server/database/schema';

export type InvitationRecord = typeof invitations.$inferSelect;

const MODE = 'registration';

/** Who may make an account: the mode that owners have settled, and invitations. Ids must be well-formed UUIDs. */
export class RegistrationRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** What was settled, as it was stored; undefined where nothing was. */
  async mode(): Promise<unknown> {
    return readInstallationSetting(this.#db, MODE);
  }

  async settleMode(value: string): Promise<void> {
    await settleInstallationSetting(this.#db, MODE, value);
  }

  async hasUsers(): Promise<boolean> {
    return (await this.#db.select({ id: users.id }).from(users).limit(1)).length > 0;
  }

  async hasAccount(email: string): Promise<boolean> {
    return (await this.#db.select({ id: users.id }).from(users).where(eq(users.email, email))).length > 0;
  }

  /** Stores an invitation in place of one that was there for the same address. */
  async insert(invitation: InvitationRecord): Promise<void> {
    const { email, ...rest } = invitation;
    await this.#db
      .insert(invitations)
      .values(invitation)
      .onConflictDoUpdate({ target: invitations.email, set: rest });
  }

  /** One that has not expired by `now`. */
  async findBySecret(secretHash: string, now: Date): Promise<InvitationRecord | null> {
    const [row] = await this.#db
      .select()
      .from(invitations)
      .where(and(eq(invitations.secretHash, secretHash), gt(invitations.expiresAt, now)));
    return row ?? null;
  }

  /** One for this address that has not expired by `now`. */
  async findByEmail(email: string, now: Date): Promise<InvitationRecord | null> {
    const [row] = await this.#db
      .select()
      .from(invitations)
      .where(and(eq(invitations.email, email), gt(invitations.expiresAt, now)));
    return row ?? null;
  }

  /** Newest first. */
  async list(now: Date): Promise<InvitationRecord[]> {
    return this.#db
      .select()
      .from(invitations)
      .where(gt(invitations.expiresAt, now))
      .orderBy(desc(invitations.createdAt), desc(invitations.id));
  }

  async delete(id: string): Promise<InvitationRecord | null> {
    const [row] = await this.#db.delete(invitations).where(eq(invitations.id, id)).returning();
    return row ?? null;
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.#db.delete(invitations).where(lte(invitations.expiresAt, now));
  }
}
