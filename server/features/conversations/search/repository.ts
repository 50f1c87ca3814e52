import { and, asc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { conversations, messages } from '#server/database/schema';
import { inScope } from '#server/database/scoped';
import { whereRoom } from '#server/lib/database-away';
import type { Scope } from '#server/lib/scope';
import type { Channel, ConversationState, Outcome, Sentiment } from '#shared/conversations';
import { indexedWords } from '../search-words.ts';

/** Conversations read for each wanted one before the index is used. */
const LOOKED_THROUGH = 32;

/** Filters of the search. Ids are compared, since they contain the time of creation. */
export interface ListFilters {
  agentId?: string | undefined;
  contactId?: string | undefined;
  channel?: Channel | undefined;
  state?: ConversationState | undefined;
  /** The colleague in charge. */
  assignedTo?: string | undefined;
  sentiments?: readonly Sentiment[] | undefined;
  outcomes?: readonly Outcome[] | undefined;
  /** The first id included. */
  fromId?: string | undefined;
  /** The first id excluded. */
  beforeId?: string | undefined;
}

/**
 * The words of conversations: `conversation_words` has one row for each, which lags behind its messages while marked
 * `search_stale`. See docs/decisions/2026-11-20-conversation-search.md.
 */
export class SearchRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Ids of the newest conversations that contain all wanted words. Common words are found among the newest
   * conversations within a page or two; rare ones by the index, which is slow for common words.
   * @param wanted a `tsquery` of `wantedWords`
   */
  async find(scope: Scope, wanted: string, filters: ListFilters, limit: number): Promise<string[]> {
    const lookedThrough = limit * LOOKED_THROUGH;
    const { rows } = await this.#db.execute<{ seen: number; ids: string[] }>(sql`
      with newest as materialized (${newestInScope(scope, filters, lookedThrough)})
      select (select count(*)::int from newest) as seen, array(
        select id from newest
        where (select words @@ ${wanted}::tsquery from conversation_words where conversation_id = newest.id)
        order by id desc
        limit ${limit}
      ) as ids
    `);
    const [near] = rows;
    if (!near) throw new Error('The database answered a search without a row.');
    if (near.ids.length === limit || near.seen < lookedThrough) return near.ids;
    return this.#findByIndex(scope, wanted, filters, limit);
  }

  async #findByIndex(scope: Scope, wanted: string, filters: ListFilters, limit: number): Promise<string[]> {
    // Word rows are marked by contact; a workspace's search covers all contacts.
    const { contactId } = scope;
    const asked = contactId === null ? wanted : `'${ownerWord(contactId)}' & ${wanted}`;
    return this.#db.transaction(async (tx) => {
      // The planner cannot know how rare a prefix or a pair of words is. The index is never far from optimal, while
      // reading the words of every conversation takes seconds.
      await tx.execute(sql`set local enable_seqscan = off`);
      const { rows } = await tx.execute<{ id: string }>(sql`
        with found as materialized (
          select conversation_id as id from conversation_words
          where words @@ ${asked}::tsquery ${contactId === null ? sql`` : sql`and contact_id = ${contactId}::uuid`} ${idsWithin(sql`conversation_id`, filters)}
        )
        select id from (select id from found order by id desc) as newest
        where (select ${isMeant(scope, filters)} from conversations where id = newest.id)
        limit ${limit}
      `);
      return rows.map(({ id }) => id);
    });
  }

  /**
   * Indexes the words of changed conversations, oldest first. On a full disk they stay unchanged.
   * @param scope null: every workspace
   * @returns the number written; fewer than `limit` means that none is left, or writing is impossible
   */
  async refresh(scope: Scope | null, limit: number): Promise<number> {
    return (await whereRoom(() => this.#refresh(scope, limit))) ?? 0;
  }

  async #refresh(scope: Scope | null, limit: number): Promise<number> {
    const stale = and(
      eq(conversations.searchStale, true),
      scope === null ? undefined : inScope(conversations, scope),
    );
    const [waiting] = await this.#db
      .select({ id: conversations.id })
      .from(conversations)
      .where(stale)
      .limit(1);
    if (!waiting) return 0;
    return this.#db.transaction(async (tx) => {
      // Locks first and then reads: a message stored meanwhile is either read here or marks it stale again.
      const changed = await tx
        .select({ id: conversations.id, contactId: conversations.contactId, title: conversations.title })
        .from(conversations)
        .where(stale)
        .orderBy(asc(conversations.contactId), asc(conversations.id))
        .limit(limit)
        .for('update');
      if (changed.length === 0) return 0;
      const ids = changed.map(({ id }) => id);
      const said = await tx
        .select({ id: messages.conversationId, content: messages.content })
        .from(messages)
        .where(and(inArray(messages.conversationId, ids), ne(messages.role, 'system')));
      const texts = new Map(changed.map(({ id, title }) => [id, [title]]));
      for (const { id, content } of said) texts.get(id)?.push(content);
      const words = changed.map(({ id, contactId: owner }) =>
        [ownerWord(owner), ...indexedWords(texts.get(id) ?? [])].join(' '),
      );
      await tx.execute(sql`
        insert into conversation_words (conversation_id, contact_id, words)
        select id, contact_id, array_to_tsvector(string_to_array(words, ' '))
        from unnest(${sql.param(ids)}::uuid[], ${sql.param(changed.map((each) => each.contactId))}::uuid[],
          ${sql.param(words)}::text[]) as changed(id, contact_id, words)
        on conflict (conversation_id) do update set words = excluded.words
      `);
      await tx.update(conversations).set({ searchStale: false }).where(inArray(conversations.id, ids));
      return changed.length;
    });
  }
}

/**
 * A word for the owner in each conversation's words, so that a search reads only one person's rows. No text contains
 * it, because "@" is in no word.
 */
const ownerWord = (contactId: string) => `@${contactId}`;

const idsWithin = (id: SQL, { fromId, beforeId }: ListFilters) =>
  sql`${fromId ? sql`and ${id} >= ${fromId}::uuid` : sql``} ${beforeId ? sql`and ${id} < ${beforeId}::uuid` : sql``}`;

const of = ({ workspaceId, contactId }: Scope) =>
  contactId === null
    ? sql`workspace_id = ${workspaceId}::uuid`
    : sql`workspace_id = ${workspaceId}::uuid and contact_id = ${contactId}::uuid`;

const plainly = ({ agentId, contactId, channel, state, assignedTo }: ListFilters) => sql`
    ${agentId === undefined ? sql`` : sql`and agent_id = ${agentId}::uuid`}
    ${contactId === undefined ? sql`` : sql`and contact_id = ${contactId}::uuid`}
    ${channel === undefined ? sql`` : sql`and channel = ${channel}::channel`}
    ${state === undefined ? sql`` : sql`and state = ${state}::conversation_state`}
    ${assignedTo === undefined ? sql`` : sql`and assigned_to = ${assignedTo}::uuid`}`;

const isMeant = (scope: Scope, filters: ListFilters) => {
  const { sentiments, outcomes } = filters;
  return sql`${of(scope)} ${plainly(filters)}
    ${sentiments === undefined ? sql`` : sql`and sentiment = any(${sql.param([...sentiments])}::sentiment[])`}
    ${outcomes === undefined ? sql`` : sql`and outcome = any(${sql.param([...outcomes])}::outcome[])`}`;
};

/**
 * A query for the ids of the newest conversations in scope, newest first. Reads each sentiment and outcome separately
 * along `conversations_by_sentiment` or `conversations_by_outcome`: a rare label would otherwise be searched in all of
 * them.
 */
export function newestInScope(scope: Scope, filters: ListFilters, limit: number): SQL {
  const { sentiments, outcomes } = filters;
  const within = idsWithin(sql`id`, filters);
  const newest = (more: SQL) => sql`
    select id from conversations
    where ${of(scope)} ${plainly(filters)} ${more} ${within}
    order by id desc
    limit ${limit}`;
  const walks = [
    ...(sentiments ? [sql`unnest(${sql.param([...sentiments])}::sentiment[]) as felt(label)`] : []),
    ...(outcomes ? [sql`unnest(${sql.param([...outcomes])}::outcome[]) as came_to(label)`] : []),
  ];
  if (walks.length === 0) return newest(sql``);
  const labels = sql`${sentiments ? sql`and sentiment = felt.label` : sql``}
    ${outcomes ? sql`and outcome = came_to.label` : sql``}`;
  return sql`
    select walked.id from ${sql.join(walks, sql` cross join `)}
    cross join lateral (${newest(labels)}) as walked
    order by walked.id desc
    limit ${limit}`;
}
