import { and, asc, eq, max, ne } from 'drizzle-orm';
import { lockAccounts } from '#server/database/account-lock';
import type { Db } from '#server/database/open';
import { sessions, users } from '#server/database/schema';
import type { Role } from '#shared/accounts';

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

  async delete(id: string): Promise<void> {
    await this.#db.delete(users).where(eq(users.id, id));
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
