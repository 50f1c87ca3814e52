import { isDeepStrictEqual } from 'node:util';
import { and, count, desc, eq, exists, gt, inArray, isNotNull, notExists, or, sql, sum } from 'drizzle-orm';
import { workspaceActs } from '#server/database/held-accounts';
import type { Db } from '#server/database/open';
import { agentDocuments, agents, documents, workspaces } from '#server/database/schema';
import { append } from '#server/events/repository';
import type { KeepingVersions } from '#server/features/agents/service';
import type { Scope } from '#server/lib/scope';

/** All columns except the text. */
const described = {
  id: documents.id,
  title: documents.title,
  kind: documents.kind,
  source: documents.source,
  status: documents.status,
  problem: documents.problem,
  characters: documents.characters,
  passages: documents.passages,
  readEveryDays: documents.readEveryDays,
  createdAt: documents.createdAt,
  readAt: documents.readAt,
};

const readers = sql<
  string[]
>`coalesce((select array_agg(${agentDocuments.agentId}::text) from ${agentDocuments} where ${agentDocuments.documentId} = ${documents.id}), '{}')`;

type Row = typeof documents.$inferSelect;
type DocumentPart = NonNullable<Row['parts']>[number];
/** A document whose reading was cut off when the server stopped. */
export interface WaitingDocument {
  id: string;
  kind: Row['kind'];
  agentIds: string[];
  /** Its text is stored, and only has to be indexed. */
  isRead: boolean;
}
/** A document without its text. */
export type DocumentRecord = Omit<Row, 'workspaceId' | 'parts' | 'triedAt'> & { agentIds: string[] };
export type NewDocumentRow = Pick<Row, 'id' | 'title' | 'kind' | 'source' | 'parts' | 'characters'>;
/** The text of a document. */
export interface DocumentText {
  title?: string;
  kind: Row['kind'];
  source: string | null;
  parts: DocumentPart[];
  characters: number;
  /** What could not be read. */
  problem: string | null;
}

/** The most documents and text of one workspace. */
export interface DocumentLimits {
  documents: number;
  characters: number;
}

type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];

/**
 * Documents of a workspace. Every statement names the workspace, except those that look for work. Ids must be
 * well-formed UUIDs.
 */
export class DocumentsRepository {
  readonly #db: Db;
  readonly #keepingVersions: KeepingVersions;
  readonly #ring: () => void;

  /** @param ring called after events were stored */
  constructor(db: Db, keepingVersions: KeepingVersions, ring: () => void = () => {}) {
    this.#db = db;
    this.#ring = ring;
    this.#keepingVersions = keepingVersions;
  }

  /** Newest first. @param agentId only this agent's documents */
  async list(scope: Scope, agentId: string | null): Promise<DocumentRecord[]> {
    const theirs = agentId === null ? undefined : this.#readBy(agentId);
    return this.#described(and(eq(documents.workspaceId, scope.workspaceId), theirs));
  }

  async find(scope: Scope, id: string): Promise<DocumentRecord | null> {
    const theirs = and(eq(documents.workspaceId, scope.workspaceId), eq(documents.id, id));
    const [row] = await this.#described(and(theirs, workspaceActs(documents.workspaceId)));
    return row ?? null;
  }

  /** The documents of an agent with their text, oldest first. */
  async textsOf(
    scope: Scope,
    agentId: string,
  ): Promise<{ id: string; title: string; readAt: Date; parts: DocumentPart[]; status: Row['status'] }[]> {
    const rows = await this.#db
      .select({
        id: documents.id,
        title: documents.title,
        readAt: documents.readAt,
        parts: documents.parts,
        status: documents.status,
      })
      .from(documents)
      .where(
        and(
          eq(documents.workspaceId, scope.workspaceId),
          this.#readBy(agentId),
          isNotNull(documents.parts),
          isNotNull(documents.readAt),
        ),
      )
      .orderBy(documents.id);
    return rows.flatMap(({ parts, readAt, ...row }) => (parts && readAt ? [{ ...row, parts, readAt }] : []));
  }

  async partsOf(scope: Scope, id: string): Promise<DocumentPart[]> {
    const [row] = await this.#db
      .select({ parts: documents.parts })
      .from(documents)
      .where(and(eq(documents.workspaceId, scope.workspaceId), eq(documents.id, id)));
    return row?.parts ?? [];
  }

  /**
   * Stores documents for one agent.
   * @returns `no-agent` if the user has no such agent, `full` if they would exceed the limits
   */
  async insert(
    scope: Scope,
    agentId: string,
    rows: readonly NewDocumentRow[],
    at: Date,
    limits: DocumentLimits,
  ): Promise<'stored' | 'no-agent' | 'full'> {
    return this.#db.transaction(async (tx) => {
      // Serialised per workspace; otherwise two inserts could both be the last allowed.
      await holdWorkspace(tx, scope);
      const theirs = and(eq(agents.workspaceId, scope.workspaceId), eq(agents.id, agentId));
      const [agent] = await tx.select({ id: agents.id }).from(agents).where(theirs);
      if (!agent) return 'no-agent';
      const characters = rows.reduce((all, row) => all + row.characters, 0);
      if (!(await hasRoom(tx, scope, { documents: rows.length, characters }, limits))) return 'full';
      await this.#changing(tx, { scope, agentIds: [agentId], at, rewritten: null }, async () => {
        for (let from = 0; from < rows.length; from += 200) {
          const some = rows.slice(from, from + 200);
          await tx.insert(documents).values(
            some.map((row) => ({
              ...row,
              workspaceId: scope.workspaceId,
              status: 'indexing' as const,
              createdAt: at,
              readAt: row.parts ? at : null,
              triedAt: at,
            })),
          );
          await tx.insert(agentDocuments).values(some.map(({ id }) => ({ agentId, documentId: id })));
        }
      });
      return 'stored';
    });
  }

  /** Shares a document with another agent. @returns whether both exist in the workspace */
  async share(scope: Scope, agentId: string, id: string, at: Date): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      if (!(await this.#hold(tx, scope, agentId, id))) return false;
      await this.#changing(tx, { scope, agentIds: [agentId], at, rewritten: null }, () =>
        tx.insert(agentDocuments).values({ agentId, documentId: id }).onConflictDoNothing(),
      );
      return true;
    });
  }

  /** Removes a document from an agent, and deletes it with its last agent. @returns whether the agent had it */
  async remove(scope: Scope, agentId: string, id: string, at: Date): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      if (!(await this.#hold(tx, scope, agentId, id))) return false;
      const gone = await this.#changing(tx, { scope, agentIds: [agentId], at, rewritten: null }, () =>
        tx
          .delete(agentDocuments)
          .where(and(eq(agentDocuments.agentId, agentId), eq(agentDocuments.documentId, id)))
          .returning({ id: agentDocuments.documentId }),
      );
      await tx
        .delete(documents)
        .where(and(eq(documents.workspaceId, scope.workspaceId), eq(documents.id, id), unread));
      return gone.length > 0;
    });
  }

  /** Deletes documents without an agent. */
  async removeUnread(scope: Scope): Promise<void> {
    await this.#db.delete(documents).where(and(eq(documents.workspaceId, scope.workspaceId), unread));
  }

  /** Replaces a document's text. @returns false if it is gone, `full` if the text exceeds the limits */
  async setText(
    scope: Scope,
    id: string,
    text: DocumentText,
    at: Date,
    limits: DocumentLimits,
  ): Promise<boolean | 'full'> {
    return this.#db.transaction(async (tx) => {
      await holdWorkspace(tx, scope);
      const theirs = and(eq(documents.workspaceId, scope.workspaceId), eq(documents.id, id));
      const [before] = await tx
        .select({ characters: documents.characters, parts: documents.parts })
        .from(documents)
        .where(theirs);
      if (!before) return false;
      const more = { documents: 0, characters: text.characters - before.characters };
      if (more.characters > 0 && !(await hasRoom(tx, scope, more, limits))) return 'full';
      // A page is read again regularly, and mostly has the same text.
      const isOther = before.parts !== null && !isDeepStrictEqual(before.parts, text.parts);
      const agentIds = await this.#readersOf(tx, id);
      await this.#changing(tx, { scope, agentIds, at, rewritten: isOther ? id : null }, () =>
        tx
          .update(documents)
          .set({ ...text, status: 'indexing', readAt: later(documents.readAt, at), triedAt: at })
          .where(theirs),
      );
      return true;
    });
  }

  /** Marks documents that are being read again. */
  async setWaiting(scope: Scope, id: string, at: Date): Promise<void> {
    await this.#db
      .update(documents)
      .set({ status: 'indexing', problem: null, triedAt: at })
      .where(and(eq(documents.workspaceId, scope.workspaceId), eq(documents.id, id)));
  }

  /** Records why it could not be read; its earlier text stays. */
  async setProblem(scope: Scope, id: string, problem: string): Promise<void> {
    await this.#db
      .update(documents)
      .set({
        problem,
        status: sql`case when ${documents.parts} is null then 'failed' when ${documents.passages} = 0 then 'failed' else 'ready' end`,
      })
      .where(and(eq(documents.workspaceId, scope.workspaceId), eq(documents.id, id)));
  }

  /** Marks documents that were not changed meanwhile as ready, or as failed if they have no text. */
  async setRead(
    scope: Scope,
    read: readonly { id: string; readAt: Date; passages: number }[],
    nothing: string,
  ): Promise<void> {
    for (const { id, readAt, passages } of read)
      await this.#db.transaction(async (tx) => {
        const marked = await tx
          .update(documents)
          .set(
            passages > 0 ? { status: 'ready', passages } : { status: 'failed', passages, problem: nothing },
          )
          .where(
            and(
              eq(documents.workspaceId, scope.workspaceId),
              eq(documents.id, id),
              eq(documents.readAt, readAt),
            ),
          )
          .returning({ status: documents.status });
        if (marked[0]?.status !== 'ready') return;
        const about = { workspaceId: scope.workspaceId, contactId: scope.contactId, conversationId: null };
        await append(tx, [{ ...about, type: 'document.ready', data: { documentId: id } }]);
      });
    this.#ring();
  }

  async change(
    scope: Scope,
    id: string,
    change: { title?: string; readEveryDays?: number | null },
    at: Date,
  ): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const agentIds = change.title === undefined ? [] : await this.#readersOf(tx, id);
      await this.#changing(tx, { scope, agentIds, at, rewritten: null }, () =>
        tx
          .update(documents)
          .set(change)
          .where(and(eq(documents.workspaceId, scope.workspaceId), eq(documents.id, id))),
      );
    });
  }

  /** The workspaces with documents whose reading was cut off when the server stopped, or with pages due to be read. */
  async whoWaits(at: Date): Promise<string[]> {
    const rows = await this.#db
      .selectDistinct({ workspaceId: documents.workspaceId })
      .from(documents)
      .where(and(or(isWaiting, isDue(at)), workspaceActs(documents.workspaceId)));
    return rows.map(({ workspaceId }) => workspaceId);
  }

  /**
   * Documents whose reading was cut off when the server stopped, oldest first.
   * @param after the last id of the page before; null: from the first one
   */
  async waiting(scope: Scope, after: string | null, most: number): Promise<WaitingDocument[]> {
    return this.#db
      .select({
        id: documents.id,
        kind: documents.kind,
        agentIds: readers,
        // A page is fetched again if that was requested after its last reading.
        isRead: sql<boolean>`${documents.parts} is not null and (${documents.kind} <> 'page' or ${documents.readAt} >= ${documents.triedAt})`,
      })
      .from(documents)
      .where(
        and(
          eq(documents.workspaceId, scope.workspaceId),
          isWaiting,
          after ? gt(documents.id, after) : undefined,
        ),
      )
      .orderBy(documents.id)
      .limit(most);
  }

  /** Pages due to be read, the longest unread first. */
  async due(scope: Scope, at: Date, most: number): Promise<string[]> {
    const rows = await this.#db
      .select({ id: documents.id })
      .from(documents)
      .where(and(eq(documents.workspaceId, scope.workspaceId), isDue(at)))
      .orderBy(documents.triedAt)
      .limit(most);
    return rows.map(({ id }) => id);
  }

  async #described(where: ReturnType<typeof and>): Promise<DocumentRecord[]> {
    return this.#db
      .select({ ...described, agentIds: readers })
      .from(documents)
      .where(where)
      .orderBy(desc(documents.id));
  }

  #readBy(agentId: string) {
    return inArray(
      documents.id,
      this.#db
        .select({ id: agentDocuments.documentId })
        .from(agentDocuments)
        .where(eq(agentDocuments.agentId, agentId)),
    );
  }

  /** Locks an agent and a document until the transaction ends. @returns whether both exist in the workspace */
  async #hold(tx: Tx, scope: Scope, agentId: string, id: string): Promise<boolean> {
    const owned = tx
      .select({ id: documents.id })
      .from(documents)
      .where(and(eq(documents.workspaceId, scope.workspaceId), eq(documents.id, id)));
    const held = await tx
      .select({ id: agents.id })
      .from(agents)
      .where(and(eq(agents.workspaceId, scope.workspaceId), eq(agents.id, agentId), exists(owned)))
      .for('update');
    return held.length > 0;
  }

  /** Runs a change of agents' documents, and marks those agents as changed. */
  async #changing<T>(tx: Tx, what: Parameters<KeepingVersions>[1], change: () => Promise<T>): Promise<T> {
    const done = await this.#keepingVersions(tx, what, change);
    await tx
      .update(agents)
      .set({ documentsAt: later(agents.documentsAt, what.at) })
      .where(and(eq(agents.workspaceId, what.scope.workspaceId), inArray(agents.id, [...what.agentIds])));
    return done;
  }

  async #readersOf(tx: Tx, id: string): Promise<string[]> {
    const rows = await tx
      .select({ agentId: agentDocuments.agentId })
      .from(agentDocuments)
      .where(eq(agentDocuments.documentId, id));
    return rows.map(({ agentId }) => agentId);
  }
}

async function holdWorkspace(tx: Tx, scope: Scope): Promise<void> {
  await tx
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(eq(workspaces.id, scope.workspaceId))
    .for('no key update');
}

async function hasRoom(tx: Tx, scope: Scope, more: DocumentLimits, limits: DocumentLimits): Promise<boolean> {
  const [has] = await tx
    .select({ documents: count(), characters: sum(documents.characters).mapWith(Number) })
    .from(documents)
    .where(eq(documents.workspaceId, scope.workspaceId));
  return (
    (has?.documents ?? 0) + more.documents <= limits.documents &&
    (has?.characters ?? 0) + more.characters <= limits.characters
  );
}

/** A later moment than the one before, whatever the clock does. */
const later = (column: typeof agents.documentsAt | typeof documents.readAt, at: Date) =>
  sql`greatest(${at.toISOString()}::timestamptz, ${column} + interval '1 millisecond')`;
const isWaiting = eq(documents.status, 'indexing');
const isDue = (at: Date) =>
  and(
    eq(documents.kind, 'page'),
    sql`${documents.status} <> 'indexing'`,
    sql`${documents.triedAt} + make_interval(days => ${documents.readEveryDays}) <= ${at.toISOString()}`,
  );
const unread = notExists(
  sql`(select 1 from ${agentDocuments} where ${agentDocuments.documentId} = ${documents.id})`,
);
