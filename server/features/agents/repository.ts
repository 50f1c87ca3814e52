import { and, count, desc, eq } from 'drizzle-orm';
import { workspaceActs } from '#server/database/held-accounts';
import type { Db } from '#server/database/open';
import { agents, workspaces } from '#server/database/schema';
import { append } from '#server/events/repository';
import { acrossRestart } from '#server/lib/database-away';
import type { Scope } from '#server/lib/scope';
import { changesOf, keepVersion } from './versions/repository.ts';

export type AgentRecord = typeof agents.$inferSelect;

/** The owner's texts of an agent. */
export type AgentText = Pick<
  AgentRecord,
  'name' | 'companyName' | 'personality' | 'companyInfo' | 'prompts' | 'sayings' | 'language' | 'masks'
>;

/**
 * Agents of a workspace. Every statement names the workspace. Ids must be well-formed UUIDs; the service checks them.
 */
export class AgentsRepository {
  readonly #db: Db;
  readonly #ring: () => void;

  /** @param ring called after events were stored */
  constructor(db: Db, ring: () => void = () => {}) {
    this.#db = db;
    this.#ring = ring;
  }

  async find(scope: Scope, id: string): Promise<AgentRecord | null> {
    const [row] = await acrossRestart(() =>
      this.#db
        .select()
        .from(agents)
        .where(
          and(
            eq(agents.workspaceId, scope.workspaceId),
            eq(agents.id, id),
            workspaceActs(agents.workspaceId),
          ),
        ),
    );
    return row ?? null;
  }

  async ids(scope: Scope): Promise<string[]> {
    const rows = await this.#db
      .select({ id: agents.id })
      .from(agents)
      .where(eq(agents.workspaceId, scope.workspaceId));
    return rows.map(({ id }) => id);
  }

  /** Newest first. */
  async list(scope: Scope): Promise<AgentRecord[]> {
    return this.#db
      .select()
      .from(agents)
      .where(eq(agents.workspaceId, scope.workspaceId))
      .orderBy(desc(agents.id));
  }

  /**
   * Stores an agent unless the workspace already has `limit` of them, also under simultaneous inserts.
   * @returns null when the limit is reached
   */
  async insert(
    scope: Scope,
    id: string,
    text: AgentText,
    at: Date,
    limit: number,
  ): Promise<AgentRecord | null> {
    return this.#telling(async (tx) => {
      // Serialised per workspace; otherwise two inserts could both be the last allowed.
      await tx
        .select({ id: workspaces.id })
        .from(workspaces)
        .where(eq(workspaces.id, scope.workspaceId))
        .for('no key update');
      const [owned] = await tx
        .select({ count: count() })
        .from(agents)
        .where(eq(agents.workspaceId, scope.workspaceId));
      if ((owned?.count ?? 0) >= limit) return null;
      const [row] = await tx
        .insert(agents)
        .values({ ...text, id, workspaceId: scope.workspaceId, createdAt: at, updatedAt: at })
        .returning();
      if (row) {
        await keepVersion(tx, row, scope.contactId);
        await append(tx, [changeOf(scope, row)]);
      }
      return row ?? null;
    });
  }

  /**
   * Saves an agent's texts, and keeps them as its next version if any of them changed.
   * @param change makes the texts from the stored ones, under a lock; its errors are thrown on
   * @param restoredFrom the restored version
   * @returns the agent before and after; null if there is none. `updatedAt` grows with every save, whatever the clock
   *   does, so that it names one state of the agent.
   */
  async update(
    scope: Scope,
    id: string,
    change: (before: AgentRecord) => AgentText,
    at: Date,
    restoredFrom: number | null = null,
  ): Promise<{ before: AgentRecord; after: AgentRecord } | null> {
    const theirs = and(eq(agents.workspaceId, scope.workspaceId), eq(agents.id, id));
    return this.#telling(async (tx) => {
      const [before] = await tx.select().from(agents).where(theirs).for('update');
      if (!before) return null;
      const updatedAt = new Date(Math.max(at.getTime(), before.updatedAt.getTime() + 1));
      const text = change(before);
      const { content, changed } = await changesOf(tx, before, { ...before, ...text }, scope);
      const version = before.version + (changed.length > 0 ? 1 : 0);
      const [after] = await tx
        .update(agents)
        .set({ ...text, updatedAt, version })
        .where(theirs)
        .returning();
      if (!after) return null;
      if (changed.length > 0) {
        await keepVersion(tx, after, scope.contactId, { content, changed, restoredFrom });
        await append(tx, [changeOf(scope, after)]);
      }
      return { before, after };
    });
  }

  /** @returns whether the agent existed */
  async delete(scope: Scope, id: string): Promise<boolean> {
    return this.#telling(async (tx) => {
      const gone = await tx
        .delete(agents)
        .where(and(eq(agents.workspaceId, scope.workspaceId), eq(agents.id, id)))
        .returning({ id: agents.id });
      if (gone.length === 0) return false;
      await append(tx, [{ ...byMember(scope), type: 'agent.deleted', data: { agentId: id } }]);
      return true;
    });
  }

  async #telling<T>(change: (tx: Tx) => Promise<T>): Promise<T> {
    const done = await this.#db.transaction(change);
    this.#ring();
    return done;
  }
}

type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];

const byMember = ({ workspaceId, contactId }: Scope) => ({ workspaceId, contactId, conversationId: null });

const changeOf = (scope: Scope, { id, version }: AgentRecord) => ({
  ...byMember(scope),
  type: 'agent.changed' as const,
  data: { agentId: id, version },
});
