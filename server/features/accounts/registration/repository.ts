import { and, desc, eq, getTableColumns, gt, lte, type SQL } from 'drizzle-orm';
import { readInstallationSetting, settleInstallationSetting } from '#server/database/installation-settings';
import type { Db } from '#server/database/open';
import { invitations, users } from '#server/database/schema';

export type InvitationRecord = typeof invitations.$inferSelect;

const MODE = 'registration';

/** An invitation, and whether it came from an owner of the installation. */
export type UsableInvitation = InvitationRecord & { isByInstallationOwner: boolean };

/** The mode of registration that owners have set, and invitations. Ids must be well-formed UUIDs. */
export class RegistrationRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The stored mode, unchecked; undefined if none was set. */
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

  /** Stores an invitation, replacing an earlier one for the same address into the same workspace. */
  async insert(invitation: InvitationRecord): Promise<void> {
    const { workspaceId, email, ...rest } = invitation;
    await this.#db
      .insert(invitations)
      .values(invitation)
      .onConflictDoUpdate({ target: [invitations.workspaceId, invitations.email], set: rest });
  }

  /** An invitation that has not expired by `now`. */
  async findBySecret(secretHash: string, now: Date): Promise<UsableInvitation | null> {
    const [row] = await this.#usable(
      and(eq(invitations.secretHash, secretHash), gt(invitations.expiresAt, now)),
    );
    return row ?? null;
  }

  /** The invitations for this address that have not expired by `now`, newest first. */
  async findByEmail(email: string, now: Date): Promise<UsableInvitation[]> {
    return this.#usable(and(eq(invitations.email, email), gt(invitations.expiresAt, now)));
  }

  /** The invitations into a workspace, newest first. */
  async list(workspaceId: string, now: Date): Promise<InvitationRecord[]> {
    return this.#db
      .select()
      .from(invitations)
      .where(and(eq(invitations.workspaceId, workspaceId), gt(invitations.expiresAt, now)))
      .orderBy(desc(invitations.createdAt), desc(invitations.id));
  }

  async delete(workspaceId: string, id: string): Promise<InvitationRecord | null> {
    const [row] = await this.#db
      .delete(invitations)
      .where(and(eq(invitations.workspaceId, workspaceId), eq(invitations.id, id)))
      .returning();
    return row ?? null;
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.#db.delete(invitations).where(lte(invitations.expiresAt, now));
  }

  #usable(where: SQL | undefined): Promise<UsableInvitation[]> {
    return this.#db
      .select({ ...getTableColumns(invitations), isByInstallationOwner: users.isInstallationOwner })
      .from(invitations)
      .innerJoin(users, eq(users.id, invitations.invitedBy))
      .where(where)
      .orderBy(desc(invitations.createdAt), desc(invitations.id));
  }
}
