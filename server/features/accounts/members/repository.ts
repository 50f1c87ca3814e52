import { and, asc, eq, isNotNull, max, ne } from 'drizzle-orm';
import { lockAccounts } from '#server/database/account-lock';
import { settleOwnerless } from '#server/database/installation-settings';
import type { Db } from '#server/database/open';
import { identities, sessions, users } from '#server/database/schema';
import type { Role } from '#shared/accounts';
import type { UserRecord } from '../repository.ts';

const columns = {
  id: users.id,
  name: users.name,
  email: users.email,
  role: users.role,
  createdAt: users.createdAt,
};

export type MemberRecord = Pick<typeof users.$inferSelect, keyof typeof columns> & {
  lastUsedAt: Date | null;
};

/** The accounts of the installation, as its owners see them. Ids must be well-formed UUIDs. */
export class MembersRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The oldest first. */
  async list(): Promise<MemberRecord[]> {
    return this.#members();
  }

  async find(id: string): Promise<MemberRecord | null> {
    const [member] = await this.#members(id);
    return member ?? null;
  }

  /**
   * Gives somebody another role. Changes of roles take turns, so that one owner is left whatever happens at once.
   * @returns the role before; null for nobody
   */
  async changeRole(id: string, role: Role): Promise<Role | 'last-owner' | null> {
    return this.#db.transaction(async (tx) => {
      await lockAccounts(tx);
      const [user] = await tx.select({ role: users.role }).from(users).where(eq(users.id, id));
      if (!user) return null;
      if (user.role === 'owner' && role !== 'owner') {
        const [other] = await tx
          .select({ id: users.id })
          .from(users)
          .where(and(eq(users.role, 'owner'), ne(users.id, id)))
          .limit(1);
        if (!other) return 'last-owner';
      }
      await tx.update(users).set({ role }).where(eq(users.id, id));
      return user.role;
    });
  }

  /**
   * Deletes an account. With the last one of all nobody is first any more.
   * @returns false for an owner without whom others would have none
   */
  async delete(id: string): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      await lockAccounts(tx);
      const others = await tx.select({ role: users.role }).from(users).where(ne(users.id, id));
      const [user] = await tx.select({ role: users.role }).from(users).where(eq(users.id, id));
      if (!user) return true;
      if (user.role === 'owner' && others.length > 0 && !others.some(({ role }) => role === 'owner'))
        return false;
      await tx.delete(users).where(eq(users.id, id));
      if (others.length === 0) await settleOwnerless(tx, true);
      return true;
    });
  }

  /** Whether an account waits for its person to say what becomes of what is in it. */
  async isHeld(id: string): Promise<boolean> {
    return (await this.#db.$count(users, and(eq(users.id, id), isNotNull(users.heldAt)))) > 0;
  }

  /**
   * Puts a new account in the place of one that waits: its address, name, role and identities, and nothing else of it.
   * @param anew the id of the new one
   * @returns null where it waits no longer
   */
  async replaceHeld(id: string, anew: string): Promise<UserRecord | null> {
    return this.#db.transaction(async (tx) => {
      // There is an owner before and after.
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
      const { name, email, role } = before;
      const [user] = await tx
        .insert(users)
        .values({ id: anew, name, email, role, passwordHash: null })
        .returning();
      if (theirs.length > 0)
        await tx.insert(identities).values(theirs.map((identity) => ({ ...identity, userId: anew })));
      return user ?? null;
    });
  }

  async count(): Promise<number> {
    return this.#db.$count(users);
  }

  #members(id?: string): Promise<MemberRecord[]> {
    return this.#db
      .select({ ...columns, lastUsedAt: max(sessions.lastUsedAt) })
      .from(users)
      .leftJoin(sessions, eq(sessions.userId, users.id))
      .where(id === undefined ? undefined : eq(users.id, id))
      .groupBy(users.id)
      .orderBy(asc(users.createdAt), asc(users.id));
  }
}
