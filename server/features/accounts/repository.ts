import { and, eq, isNotNull, lt, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { lockAccounts } from '#server/database/account-lock';
import { isOwnerless, settleOwnerless } from '#server/database/installation-settings';
import type { Db } from '#server/database/open';
import { identities, invitations, passwordResets, signInAddresses, users } from '#server/database/schema';
import type { Role } from '#shared/accounts';

export type UserRecord = typeof users.$inferSelect;
type NewUser = Pick<UserRecord, 'id' | 'name' | 'email' | 'passwordHash'>;

/** The workspace that a new user joins, and the invitation that this uses up. */
export interface Admission {
  workspaceId: string;
  role: Role;
  isInstallationOwner: boolean;
  invitationId: string;
}

/** Users, and the addresses they have signed in from. */
export class AccountsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Makes an account. The first one owns the installation, unless the last one was deleted before; accounts made at the
   * same moment are made one after another.
   * @param admission `alone`: with a new workspace; null: the same, but only if it is the first account
   * @param identity that opens it, if it comes from an identity provider
   * @returns the account, or why there is none
   */
  async insertUser(
    user: NewUser,
    admission: Admission | 'alone' | null,
    identity?: { issuer: string; subject: string },
  ): Promise<UserRecord | 'email-taken' | 'not-admitted' | 'ownerless'> {
    return this.#db.transaction(async (tx) => {
      await lockAccounts(tx);
      const [somebody] = await tx.select({ id: users.id }).from(users).limit(1);
      const [namesake] = await tx.select({ id: users.id }).from(users).where(eq(users.email, user.email));
      if (namesake) return 'email-taken';
      if (!somebody && (await isOwnerless(tx))) return 'ownerless';
      if (somebody && !admission) return 'not-admitted';
      const invited = admission === 'alone' ? null : admission;
      if (invited) {
        const used = await tx
          .delete(invitations)
          .where(eq(invitations.id, invited.invitationId))
          .returning({ id: invitations.id });
        if (used.length === 0) return 'not-admitted';
      }
      const { workspaceId, role, isInstallationOwner } =
        somebody && invited
          ? invited
          : { workspaceId: uuidv7(), role: 'owner' as const, isInstallationOwner: !somebody };
      const [made] = await tx
        .insert(users)
        .values({ ...user, workspaceId, role, isInstallationOwner })
        .returning();
      if (!made) throw new Error('An account was gone while it was made.');
      if (identity) {
        const { issuer, subject } = identity;
        await tx.insert(identities).values({ issuer, subject, userId: user.id });
      }
      return made;
    });
  }

  /**
   * Makes a user an owner of the installation and of their workspace, and makes the account if needed. Checks nothing:
   * the caller has access to the machine.
   */
  async makeOwner(user: Omit<NewUser, 'passwordHash'>): Promise<{ user: UserRecord; isNew: boolean }> {
    return this.#db.transaction(async (tx) => {
      await lockAccounts(tx);
      await settleOwnerless(tx, false);
      const [known] = await tx
        .update(users)
        .set({ role: 'owner', isInstallationOwner: true })
        .where(eq(users.email, user.email))
        .returning();
      if (known) return { user: known, isNew: false };
      const [made] = await tx
        .insert(users)
        .values({ ...user, workspaceId: uuidv7(), role: 'owner', isInstallationOwner: true })
        .returning();
      if (!made) throw new Error('An account was gone while it was made.');
      return { user: made, isNew: true };
    });
  }

  async findByEmail(email: string): Promise<UserRecord | null> {
    const [user] = await this.#db.select().from(users).where(eq(users.email, email));
    return user ?? null;
  }

  async find(id: string): Promise<UserRecord | null> {
    const [user] = await this.#db.select().from(users).where(eq(users.id, id));
    return user ?? null;
  }

  /** Also ends earlier links to a new password. @param passwordHash null: no sign-in by password */
  async changePassword(id: string, passwordHash: string | null): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await tx.update(users).set({ passwordHash }).where(eq(users.id, id));
      await tx.delete(passwordResets).where(eq(passwordResets.userId, id));
    });
  }

  /** Releases a held account with its contents. @returns null if it is not held */
  async release(id: string): Promise<UserRecord | null> {
    const [released] = await this.#db
      .update(users)
      .set({ heldAt: null })
      .where(and(eq(users.id, id), isNotNull(users.heldAt)))
      .returning();
    return released ?? null;
  }

  /** Stores another hash of the same password. @returns whether the previous hash was still there */
  async renewHash(id: string, before: string, passwordHash: string): Promise<boolean> {
    const renewed = await this.#db
      .update(users)
      .set({ passwordHash })
      .where(and(eq(users.id, id), eq(users.passwordHash, before)))
      .returning({ id: users.id });
    return renewed.length > 0;
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

  /** Deletes addresses without a sign-in since then. */
  async deleteAddresses(since: Date): Promise<void> {
    await this.#db.delete(signInAddresses).where(lt(signInAddresses.lastAt, since));
  }
}
