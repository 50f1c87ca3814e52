import { and, asc, desc, eq, lt } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import {
  actions,
  agentDocuments,
  type agents,
  agentVersions,
  documents,
  users,
} from '#server/database/schema';
import { changedFields, type VersionContent } from '#shared/agent-versions';

type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];
type AgentRow = typeof agents.$inferSelect;
type VersionRow = typeof agentVersions.$inferSelect;
/** A version with the name of who saved it. */
export type VersionRecord = Omit<VersionRow, 'agentId' | 'content'> & { userName: string };

const described = {
  version: agentVersions.version,
  userId: agentVersions.userId,
  userName: users.name,
  changed: agentVersions.changed,
  restoredFrom: agentVersions.restoredFrom,
  createdAt: agentVersions.createdAt,
};

/** Versions of a user's own agents. Every statement names the owner. Ids must be well-formed UUIDs; the service sees to it. */
export class VersionsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Newest first. @param before only versions older than this one; null: from the newest on */
  async list(
    userId: string,
    agentId: string,
    limit: number,
    before: number | null,
  ): Promise<VersionRecord[]> {
    return this.#db
      .select(described)
      .from(agentVersions)
      .innerJoin(users, eq(users.id, agentVersions.userId))
      .where(and(theirs(userId, agentId), before === null ? undefined : lt(agentVersions.version, before)))
      .orderBy(desc(agentVersions.version))
      .limit(limit);
  }

  async find(
    userId: string,
    agentId: string,
    version: number,
  ): Promise<(VersionRecord & { content: VersionContent }) | null> {
    const [row] = await this.#db
      .select({ ...described, content: agentVersions.content })
      .from(agentVersions)
      .innerJoin(users, eq(users.id, agentVersions.userId))
      .where(and(theirs(userId, agentId), eq(agentVersions.version, version)));
    return row ?? null;
  }
}

const theirs = (userId: string, agentId: string) =>
  and(eq(agentVersions.userId, userId), eq(agentVersions.agentId, agentId));

/** Keeps an agent as it is under the number it has. */
export async function keepVersion(
  tx: Tx,
  agent: AgentRow,
  more: Partial<Pick<VersionRow, 'changed' | 'restoredFrom'>> = {},
): Promise<void> {
  await tx.insert(agentVersions).values({
    agentId: agent.id,
    version: agent.version,
    userId: agent.userId,
    content: await contentOf(tx, agent),
    changed: [],
    createdAt: agent.updatedAt,
    ...more,
  });
}

/**
 * What a change of an agent leaves to be kept, while nobody else changes it. What the agent was before is kept now where
 * it was not, so that nothing is lost.
 * @returns what differs from the newest version, with what hangs on the agent; nothing: it needs no version of its own
 */
export async function changesOf(
  tx: Tx,
  before: AgentRow,
  after: AgentRow,
): Promise<ReturnType<typeof changedFields>> {
  const newest = and(eq(agentVersions.agentId, before.id), eq(agentVersions.version, before.version));
  const [kept] = await tx.select({ content: agentVersions.content }).from(agentVersions).where(newest);
  if (!kept) await keepVersion(tx, before);
  return changedFields(kept?.content ?? (await contentOf(tx, before)), await contentOf(tx, after));
}

async function contentOf(tx: Tx, agent: AgentRow): Promise<VersionContent> {
  const { name, companyName, personality, companyInfo, prompts, language, masks } = agent;
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
  const own = { name, companyName, personality, companyInfo, prompts, language, masks };
  return { ...own, documents: read, actions: done };
}
