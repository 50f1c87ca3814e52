import { and, asc, eq, inArray, isNotNull, max, ne, type SQL } from 'drizzle-orm';
import { lockAccounts } from '#server/database/account-lock';
import { settleOwnerless } from '#server/database/installation-settings';
import type { Db } from '#server/database/open';
import { identities, sessions, users } from '#server/database/schema';
import type { Role } from '#shared/accounts';
import type { UserRecord } from '../repository.ts';

const columns = {
  id: users.id,
  workspaceId: users.workspaceId,
  name: users.name,
  email: users.email,
  role: users.role,
  isInstallationOwner: users.isInstallationOwner,
  createdAt: users.createdAt,
};

export type MemberRecord = Pick<typeof users.$inferSelect, keyof typeof columns> & {
  lastUsedAt: Date | null;
};

/** Why a member must stay an owner: the workspace or the installation would have no other. */
export type LastOwner = 'last-owner' | 'last-installation-owner';

/** Members of workspaces. Ids must be well-formed UUIDs. */
export class MembersRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Oldest first. @param workspaceId null: of all workspaces */
  async list(workspaceId: string | null): Promise<MemberRecord[]> {
    return this.#members(within(workspaceId));
  }

  /** @param workspaceId null: in any workspace */
  async find(workspaceId: string | null, id: string): Promise<MemberRecord | null> {
    const [member] = await this.#members(and(within(workspaceId), eq(users.id, id)));
    return member ?? null;
  }

  /**
   * Changes a member's role. Changes of roles run one after another, so that an owner always remains.
   * @param isInstallationOwner whether an owner owns the installation, too
   * @returns the previous role; null if there is no such member
   */
  async changeRole(
    workspaceId: string,
    id: string,
    role: Role,
    isInstallationOwner: boolean,
  ): Promise<Role | LastOwner | null> {
    return this.#db.transaction(async (tx) => {
      await lockAccounts(tx);
      const [user] = await tx
        .select()
        .from(users)
        .where(and(eq(users.workspaceId, workspaceId), eq(users.id, id)));
      if (!user) return null;
      const last = role === 'owner' ? null : whyTheyStay(await needed(tx, user, 'anybody'));
      if (last) return last;
      const ownsAll = role === 'owner' && (isInstallationOwner || user.isInstallationOwner);
      await tx.update(users).set({ role, isInstallationOwner: ownsAll }).where(eq(users.id, id));
      return user.role;
    });
  }

  /**
   * Removes every ownership of a user who is leaving, unless they are the last owner.
   * @returns why they must stay, if other members would have no owner; null if they may go
   */
  async stepDown(id: string): Promise<LastOwner | null> {
    return this.#db.transaction(async (tx) => {
      await lockAccounts(tx);
      const [user] = await tx.select().from(users).where(eq(users.id, id));
      if (!user) return null;
      const last = whyTheyStay(await needed(tx, user, 'others'));
      if (last) return last;
      // A sole member stays an owner until deletion, since another member may join meanwhile.
      const { ofWorkspace, ofInstallation } = await needed(tx, user, 'anybody');
      await tx
        .update(users)
        .set({
          role: ofWorkspace ? user.role : 'member',
          isInstallationOwner: ofInstallation && user.isInstallationOwner,
        })
        .where(eq(users.id, id));
      return null;
    });
  }

  /**
   * Deletes an account. After the last account, the next one does not count as first.
   * @returns why it must stay, if other members would have no owner
   */
  async delete(id: string): Promise<LastOwner | null> {
    return this.#db.transaction(async (tx) => {
      await lockAccounts(tx);
      const [user] = await tx.select().from(users).where(eq(users.id, id));
      if (!user) return null;
      const last = whyTheyStay(await needed(tx, user, 'others'));
      if (last) return last;
      await tx.delete(users).where(eq(users.id, id));
      if ((await tx.$count(users)) === 0) await settleOwnerless(tx, true);
      return null;
    });
  }

  /** Whether a user is the only member of their workspace. */
  async isAlone(id: string): Promise<boolean> {
    const workspace = this.#db.select({ id: users.workspaceId }).from(users).where(eq(users.id, id));
    return (await this.#db.$count(users, and(inArray(users.workspaceId, workspace), ne(users.id, id)))) === 0;
  }

  /** Whether an account is held until its owner decides about its contents. */
  async isHeld(id: string): Promise<boolean> {
    return (await this.#db.$count(users, and(eq(users.id, id), isNotNull(users.heldAt)))) > 0;
  }

  /**
   * Replaces a held account by a new one with only its address, name, role and identities.
   * @param anew the id of the new one
   * @returns null if it is no longer held
   */
  async replaceHeld(id: string, anew: string): Promise<UserRecord | null> {
    return this.#db.transaction(async (tx) => {
      // An owner exists before and after.
      await lockAccounts(tx);
      const theirs = await tx
        .select({ issuer: identities.issuer, subject: identities.subject })
        .from(identities)
        .where(eq(identities.userId, id));
      const [before] = await tx
        .delete(users)
        .where(and(eq(users.id, id), isNotNull(users.heldAt)))
        .returning();
      if (!before) return null;
      const { workspaceId, name, email, role, isInstallationOwner } = before;
      const [user] = await tx
        .insert(users)
        .values({ id: anew, workspaceId, name, email, role, isInstallationOwner, passwordHash: null })
        .returning();
      if (theirs.length > 0)
        await tx.insert(identities).values(theirs.map((identity) => ({ ...identity, userId: anew })));
      return user ?? null;
    });
  }

  #members(where: SQL | undefined): Promise<MemberRecord[]> {
    return this.#db
      .select({ ...columns, lastUsedAt: max(sessions.lastUsedAt) })
      .from(users)
      .leftJoin(sessions, eq(sessions.userId, users.id))
      .where(where)
      .groupBy(users.id)
      .orderBy(asc(users.createdAt), asc(users.id));
  }
}

const within = (workspaceId: string | null) =>
  workspaceId === null ? undefined : eq(users.workspaceId, workspaceId);

interface Needed {
  ofWorkspace: boolean;
  ofInstallation: boolean;
}

/**
 * Whether a user is the only owner of their workspace, and of the installation.
 * @param whom `others`: only if other members would have no owner
 */
async function needed(
  tx: Pick<Db, '$count'>,
  { id, workspaceId, role, isInstallationOwner }: UserRecord,
  whom: 'anybody' | 'others',
): Promise<Needed> {
  const others = (where: SQL | undefined) => tx.$count(users, and(ne(users.id, id), where));
  const isLast = async (within: SQL | undefined, owners: SQL) =>
    (await others(and(within, owners))) === 0 && (whom === 'anybody' || (await others(within)) > 0);
  return {
    ofWorkspace: role === 'owner' && (await isLast(within(workspaceId), eq(users.role, 'owner'))),
    ofInstallation: isInstallationOwner && (await isLast(undefined, eq(users.isInstallationOwner, true))),
  };
}

const whyTheyStay = ({ ofWorkspace, ofInstallation }: Needed): LastOwner | null => {
  if (ofInstallation) return 'last-installation-owner';
  return ofWorkspace ? 'last-owner' : null;
};
