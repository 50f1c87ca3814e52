import { isDeepStrictEqual } from 'node:util';
import { and, asc, count, desc, eq, inArray, ne, notInArray, sql } from 'drizzle-orm';
import { workspaceActs } from '#server/database/held-accounts';
import type { Db } from '#server/database/open';
import { actionRuns, actions, agents } from '#server/database/schema';
import { contactIn } from '#server/database/scoped';
import type { KeepingVersions } from '#server/features/agents/service';
import type { ContactScope, Scope } from '#server/lib/scope';

export type ActionRecord = typeof actions.$inferSelect;
export type RunRecord = typeof actionRuns.$inferSelect;

/** The owner's texts of an action. */
export type ActionText = Omit<ActionRecord, 'id' | 'agentId' | 'workspaceId' | 'createdAt'>;

const MAX_RUNS = 200;

/** Actions of a workspace's agents, and runs in a contact's conversations. Ids must be well-formed UUIDs. */
export class ActionsRepository {
  readonly #db: Db;
  readonly #keepingVersions: KeepingVersions;

  constructor(db: Db, keepingVersions: KeepingVersions) {
    this.#db = db;
    this.#keepingVersions = keepingVersions;
  }

  /** Oldest first. */
  list(scope: Scope, agentId: string): Promise<ActionRecord[]> {
    return this.#db
      .select()
      .from(actions)
      .where(
        and(
          eq(actions.workspaceId, scope.workspaceId),
          eq(actions.agentId, agentId),
          workspaceActs(actions.workspaceId),
        ),
      )
      .orderBy(asc(actions.id));
  }

  async find(scope: Scope, agentId: string, id: string): Promise<ActionRecord | null> {
    const [row] = await this.#db
      .select()
      .from(actions)
      .where(and(theirs(scope, agentId, id), workspaceActs(actions.workspaceId)));
    return row ?? null;
  }

  /** @returns null if the agent is gone or already has `limit` of them */
  async insert(
    scope: Scope,
    agentId: string,
    id: string,
    text: ActionText,
    limit: number,
  ): Promise<ActionRecord | null> {
    return this.#db.transaction(async (tx) => {
      // Serialised per agent; otherwise two inserts could both be the last allowed.
      if (!(await hold(tx, scope, agentId))) return null;
      const [there] = await tx.select({ count: count() }).from(actions).where(eq(actions.agentId, agentId));
      if ((there?.count ?? 0) >= limit) return null;
      const [row] = await this.#keepingVersions(tx, changeOf(scope, agentId), () =>
        tx
          .insert(actions)
          .values({ ...text, id, workspaceId: scope.workspaceId, agentId, createdAt: new Date() })
          .returning(),
      );
      return row ?? null;
    });
  }

  async update(scope: Scope, agentId: string, id: string, text: ActionText): Promise<ActionRecord | null> {
    return this.#db.transaction(async (tx) => {
      // Locks the agent first, like deletion does, to avoid a deadlock.
      if (!(await hold(tx, scope, agentId))) return null;
      const [before] = await tx
        .select()
        .from(actions)
        .where(theirs(scope, agentId, id));
      if (!before) return null;
      // Sealing the same headers again gives other text each time.
      const isOther = !isDeepStrictEqual({ ...before, ...text, sealedHeaders: before.sealedHeaders }, before);
      const rewritten = isOther ? id : null;
      const [row] = await this.#keepingVersions(tx, { ...changeOf(scope, agentId), rewritten }, () =>
        tx
          .update(actions)
          .set(text)
          .where(theirs(scope, agentId, id))
          .returning(),
      );
      return row ?? null;
    });
  }

  /** @returns whether the action existed */
  async delete(scope: Scope, agentId: string, id: string): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      const gone = await this.#keepingVersions(tx, changeOf(scope, agentId), () =>
        tx
          .delete(actions)
          .where(theirs(scope, agentId, id))
          .returning({ id: actions.id }),
      );
      return gone.length > 0;
    });
  }

  /**
   * Records that an action is about to run.
   * @param again outcomes of an earlier run of the same key after which it runs again
   * @returns the run, and whether to run it now; with a claim, the run of the other conversation that holds it
   */
  async begin(
    run: Omit<RunRecord, 'outcome' | 'status' | 'ms' | 'said' | 'problem'>,
    again: readonly RunRecord['outcome'][],
  ): Promise<{ run: RunRecord; isNew: boolean }> {
    return this.#db.transaction(async (tx) => {
      if (run.claim !== null) {
        // Serialised: two people may ask for it at the same moment.
        await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${run.claim}))`);
        const [claimed] = await tx
          .select()
          .from(actionRuns)
          .where(
            and(
              eq(actionRuns.claim, run.claim),
              ne(actionRuns.conversationId, run.conversationId),
              notInArray(actionRuns.outcome, ['failed', 'refused']),
            ),
          );
        if (claimed) return { run: claimed, isNew: false };
      }
      const [inserted] = await tx
        .insert(actionRuns)
        .values({ ...run, outcome: 'running' })
        .onConflictDoNothing({ target: [actionRuns.conversationId, actionRuns.key] })
        .returning();
      if (inserted) return { run: inserted, isNew: true };
      const same = and(eq(actionRuns.conversationId, run.conversationId), eq(actionRuns.key, run.key));
      const [repeated] = await tx
        .update(actionRuns)
        .set({
          outcome: 'running',
          claim: run.claim,
          turnId: run.turnId,
          at: run.at,
          status: null,
          ms: null,
          said: null,
          problem: null,
        })
        .where(and(same, inArray(actionRuns.outcome, [...again])))
        .returning();
      if (repeated) return { run: repeated, isNew: true };
      const [earlier] = await tx.select().from(actionRuns).where(same);
      if (!earlier) throw new Error('A run was gone while it was looked up.');
      return { run: earlier, isNew: false };
    });
  }

  async finish(
    id: string,
    end: Pick<RunRecord, 'outcome' | 'status' | 'ms' | 'said' | 'problem'>,
  ): Promise<void> {
    await this.#db.update(actionRuns).set(end).where(eq(actionRuns.id, id));
  }

  /** The runs in a conversation of the contact, oldest first. */
  async runs(scope: ContactScope, conversationId: string): Promise<RunRecord[]> {
    const latest = await this.#db
      .select()
      .from(actionRuns)
      .where(and(eq(actionRuns.contactId, contactIn(scope)), eq(actionRuns.conversationId, conversationId)))
      .orderBy(desc(actionRuns.at))
      .limit(MAX_RUNS);
    return latest.reverse();
  }
}

const theirs = (scope: Scope, agentId: string, id: string) =>
  and(eq(actions.workspaceId, scope.workspaceId), eq(actions.agentId, agentId), eq(actions.id, id));

const changeOf = (scope: Scope, agentId: string) => ({
  scope,
  agentIds: [agentId],
  at: new Date(),
  rewritten: null,
});

/** Locks an agent until the transaction ends. @returns whether it exists in the workspace */
async function hold(tx: Parameters<KeepingVersions>[0], scope: Scope, agentId: string): Promise<boolean> {
  const held = await tx
    .select({ id: agents.id })
    .from(agents)
    .where(and(eq(agents.workspaceId, scope.workspaceId), eq(agents.id, agentId)))
    .for('update');
  return held.length > 0;
}
