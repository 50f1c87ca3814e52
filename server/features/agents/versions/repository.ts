import { and, asc, desc, eq, inArray, lt } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import {
  actions,
  agentDocuments,
  agents,
  agentVersions,
  conversations,
  documents,
  users,
} from '#server/database/schema';
import type { Scope } from '#server/lib/scope';
import {
  type AttachedToAgent,
  changedFields,
  type VersionContent,
  type VersionField,
} from '#shared/agent-versions';

type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];
type AgentRow = typeof agents.$inferSelect;
type VersionRow = typeof agentVersions.$inferSelect;
/** A version with the name of its author. */
export type VersionRecord = Omit<VersionRow, 'agentId' | 'content'> & { userName: string | null };

const described = {
  version: agentVersions.version,
  userId: agentVersions.userId,
  userName: users.name,
  changed: agentVersions.changed,
  restoredFrom: agentVersions.restoredFrom,
  createdAt: agentVersions.createdAt,
};

/**
 * Versions of a workspace's agents. Every statement names the workspace. Ids must be well-formed UUIDs; the service
 * checks them.
 */
export class VersionsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Newest first. @param before only versions older than this one; null: from the newest */
  async list(scope: Scope, agentId: string, limit: number, before: number | null): Promise<VersionRecord[]> {
    return this.#db
      .select(described)
      .from(agentVersions)
      .innerJoin(agents, eq(agents.id, agentVersions.agentId))
      .leftJoin(users, eq(users.id, agentVersions.userId))
      .where(and(theirs(scope, agentId), before === null ? undefined : lt(agentVersions.version, before)))
      .orderBy(desc(agentVersions.version))
      .limit(limit);
  }

  async find(
    scope: Scope,
    agentId: string,
    version: number,
  ): Promise<(VersionRecord & { content: VersionContent }) | null> {
    const [row] = await this.#db
      .select({ ...described, content: agentVersions.content })
      .from(agentVersions)
      .innerJoin(agents, eq(agents.id, agentVersions.agentId))
      .leftJoin(users, eq(users.id, agentVersions.userId))
      .where(and(theirs(scope, agentId), eq(agentVersions.version, version)));
    return row ?? null;
  }
}

const theirs = (scope: Scope, agentId: string) =>
  and(eq(agents.workspaceId, scope.workspaceId), eq(agentVersions.agentId, agentId));

/** Keeps an agent's current state under its current number. @param userId its author; null if no person made it */
export async function keepVersion(
  tx: Tx,
  agent: AgentRow,
  userId: string | null,
  more: Partial<Pick<VersionRow, 'changed' | 'restoredFrom' | 'content' | 'createdAt'>> = {},
): Promise<VersionRow> {
  const row: VersionRow = {
    agentId: agent.id,
    version: agent.version,
    userId,
    content: more.content ?? (await contentOf(tx, agent)),
    changed: [],
    restoredFrom: null,
    createdAt: agent.updatedAt,
    ...more,
  };
  await tx.insert(agentVersions).values(row);
  return row;
}

/**
 * Finds what a change of an agent adds to its versions, under a lock.
 * @returns the new state, with documents and actions, and the fields that differ from the newest version; without any,
 *   it needs no version of its own
 */
export async function changesOf(
  tx: Tx,
  before: AgentRow,
  after: AgentRow,
  scope: Scope,
): Promise<{ content: VersionContent; changed: VersionField[] }> {
  const newest = await newestOf(tx, before, scope);
  const content = await contentOf(tx, after, newest.content);
  return { content, changed: changedFields(newest.content, content) };
}

/** The current version of an agent. Stores it now if it was not stored, so that nothing is lost. */
async function newestOf(tx: Tx, agent: AgentRow, scope: Scope): Promise<VersionRow> {
  const newest = and(eq(agentVersions.agentId, agent.id), eq(agentVersions.version, agent.version));
  const [kept] = await tx.select().from(agentVersions).where(newest);
  return kept ?? keepVersion(tx, agent, scope.contactId);
}

/** Changes of documents, or of actions, within this time are one version: long enough to add several. */
const ONE_CHANGE_MS = 10 * 60_000;

interface AttachedChange {
  scope: Scope;
  /** All agents that the change affects. */
  agentIds: readonly string[];
  at: Date;
  /** The replaced document or action of the same name. */
  rewritten: string | null;
}
/** Runs a change of agents' documents or actions in its transaction, and keeps the resulting versions. */
export type KeepingVersions = typeof keepAttachedChange;

/**
 * Changes documents or actions of agents, and keeps the resulting versions. A change of documents joins the version of
 * another within the last ten minutes, unless a conversation has begun with that version or something else was changed
 * meanwhile; so does a change of actions.
 */
export async function keepAttachedChange<T>(
  tx: Tx,
  { scope, agentIds, at, rewritten }: AttachedChange,
  change: () => Promise<T>,
): Promise<T> {
  const theirs = and(eq(agents.workspaceId, scope.workspaceId), inArray(agents.id, [...agentIds]));
  const changing = await tx.select().from(agents).where(theirs).orderBy(asc(agents.id)).for('update');
  const before = new Map<AgentRow, VersionRow>();
  for (const agent of changing) before.set(agent, await newestOf(tx, agent, scope));
  const done = await change();
  for (const [agent, newest] of before) {
    const content = await contentOf(tx, agent, newest.content);
    const next = withNewText(content, rewritten, agent.version + 1);
    const changed = changedFields(newest.content, next);
    if (changed.length === 0) continue;
    if (await mayJoin(tx, newest, changed, at)) {
      const own = and(eq(agentVersions.agentId, agent.id), eq(agentVersions.version, agent.version));
      const joined = withNewText(content, rewritten, agent.version);
      await tx.update(agentVersions).set({ content: joined }).where(own);
      continue;
    }
    const version = agent.version + 1;
    await tx.update(agents).set({ version }).where(eq(agents.id, agent.id));
    // An automatic change counts as made by the last author of the agent.
    await keepVersion(tx, { ...agent, version }, scope.contactId ?? newest.userId, {
      content: next,
      changed,
      createdAt: at,
    });
  }
  return done;
}

/**
 * Whether a change of documents, or of actions, may still join a version: it is recent, of the same kind alone, and
 * unused.
 */
async function mayJoin(
  tx: Tx,
  { agentId, version, changed, restoredFrom, createdAt }: VersionRow,
  [field, ...others]: readonly VersionField[],
  at: Date,
): Promise<boolean> {
  if (others.length > 0 || changed.length !== 1 || changed[0] !== field || restoredFrom !== null)
    return false;
  if (at.getTime() - createdAt.getTime() > ONE_CHANGE_MS) return false;
  // Version numbers only grow: if any conversation has begun with this one, the last has.
  const [last] = await tx
    .select({ agentVersion: conversations.agentVersion })
    .from(conversations)
    .where(eq(conversations.agentId, agentId))
    .orderBy(desc(conversations.id))
    .limit(1);
  return last?.agentVersion !== version;
}

function withNewText(content: VersionContent, id: string | null, version: number): VersionContent {
  const since = <T extends AttachedToAgent>(each: T): T =>
    each._id === id ? { ...each, textSince: version } : each;
  return { ...content, documents: content.documents.map(since), actions: content.actions.map(since) };
}

/** @param before the previous content: gives the dates of documents and actions that stay */
async function contentOf(tx: Tx, agent: AgentRow, before?: VersionContent): Promise<VersionContent> {
  const { name, companyName, personality, companyInfo, prompts, sayings, language, masks } = agent;
  const read = await tx
    .select({ _id: documents.id, title: documents.title })
    .from(documents)
    .innerJoin(agentDocuments, eq(agentDocuments.documentId, documents.id))
    .where(eq(agentDocuments.agentId, agent.id))
    .orderBy(asc(documents.id));
  const done = await tx
    .select({ _id: actions.id, name: actions.name })
    .from(actions)
    .where(eq(actions.agentId, agent.id))
    .orderBy(asc(actions.id));
  const own = { name, companyName, personality, companyInfo, prompts, ...sayings, language, masks };
  const attached: AttachedToAgent[] = before ? [...before.documents, ...before.actions] : [];
  const since = new Map(attached.map(({ _id, textSince }) => [_id, textSince]));
  const asBefore = <T extends AttachedToAgent>(each: T): T => {
    const textSince = since.get(each._id);
    return textSince === undefined ? each : { ...each, textSince };
  };
  return { ...own, documents: read.map(asBefore), actions: done.map(asBefore) };
}
