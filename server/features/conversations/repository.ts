import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  lt,
  ne,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Db } from '#server/database/open';
import {
  contacts,
  conversations,
  liveCalls,
  messages,
  modelUses,
  unansweredQuestions,
  users,
} from '#server/database/schema';
import { contactIn, inScope, seenBy } from '#server/database/scoped';
import { append, appendWith } from '#server/events/repository';
import type { NewEvent } from '#server/events/types';
import { acrossRestart } from '#server/lib/database-away';
import type { Sight } from '#server/lib/principal';
import type { ContactScope, Scope } from '#server/lib/scope';
import type { Channel, Citation, Contact, Outcome } from '#shared/conversations';
import { storable } from '#shared/storable';
import { firstIdOf } from './id-times.ts';
import { type ListFilters, newestInScope, SearchRepository } from './search/repository.ts';

export type ConversationRecord = typeof conversations.$inferSelect;
export type ContactRecord = typeof contacts.$inferSelect;
export type MessageRecord = typeof messages.$inferSelect;

const { state: _state, ...saidColumns } = getTableColumns(messages);
/** A message for display: without fields that only the dialogue reads. */
export type SaidMessage = Omit<MessageRecord, 'state'>;

/** The result of a reply, beside its words. */
interface ReplyResult {
  outcome: Outcome | null;
  /** Plain JSON that only the dialogue reads. */
  state: unknown;
  /** Its topic, in the words of a title. */
  topic: string | null;
  /** The customer's contact details so far; null: unchanged. */
  contact: Contact | null;
  /** The customer's question. */
  question: string | null;
}

/** The current result of a conversation. */
export interface ConversationResult {
  outcome: Outcome | null;
  contact: Contact | null;
}

/** A stored reply. */
export interface AppendedReply {
  /** The conversation's new result; null: unchanged. */
  changed: ConversationResult | null;
}

/** The fields of a conversation that answers depend on. */
export type ConversationFace = Pick<
  ConversationRecord,
  'id' | 'workspaceId' | 'agentId' | 'agentName' | 'companyName' | 'title' | 'roomName'
>;

/** Tokens, and millionths of a US dollar; null: prices unknown. */
export interface ModelUseOfConversation {
  input: number;
  output: number;
  costMicros: number | null;
}

/** Contacts, and names of colleagues, by their ids. */
export interface PeopleInConversations {
  contacts: ReadonlyMap<string, ContactRecord>;
  colleagues: ReadonlyMap<string, string>;
}

interface NewConversation {
  id: string;
  /** `null`: the demo agent. */
  agentId: string | null;
  agentName: string;
  agentVersion: number | null;
  companyName: string;
  title: string;
  channel: Channel;
  at: Date;
}

/** A live call in progress: its agent, its id, and until when its record counts as open. */
export interface LiveCall {
  roomName: string;
  /** `null`: the demo agent. */
  agentId: string | null;
  agentOwnerId: string | null;
  /** The id shared by all participants' conversations. */
  callId: string;
  liveUntil: Date;
}

/** A conversation past its retention, with its contact. */
export interface OldConversation extends ContactScope {
  id: string;
}

const oldColumns = {
  id: conversations.id,
  workspaceId: conversations.workspaceId,
  contactId: conversations.contactId,
};

/** An utterance in a room, as stored in another participant's record. */
export interface RoomWords extends ReplyResult {
  id: string;
  role: 'user' | 'assistant';
  content: string;
  /** The colleague who gave the reply; null for the agent's, or if it is no reply. */
  authorId: string | null;
  /** Its speaker, if not the record's owner: another participant, or a colleague. */
  saidBy: string | null;
  /** For a reply: the message of this record that it answers. */
  replyTo: string | null;
  responseId: string | null;
  interrupted: boolean;
  citations: Citation[];
  at: Date;
}

/** A turn that was taken and not answered so far. */
export interface LeftTurn {
  scope: ContactScope;
  conversationId: string;
  messageId: string;
  /** Its event, and how many times it was taken. */
  takenAs: number;
  times: number;
}

interface NewUserMessage {
  id: string;
  content: string;
  clientMessageId: string | null;
  /** Whether the agent should answer it. */
  isTurn: boolean;
  at: Date;
}

interface NewReply extends ReplyResult {
  id: string;
  content: string;
  /** The colleague who gave it, with their name; null: the agent. */
  authorId: string | null;
  saidBy: string | null;
  /** The user message it answers. */
  replyTo: string;
  responseId: string;
  interrupted: boolean;
  citations: Citation[];
  at: Date;
}

/** The result of storing a user message: `repeated` if its clientMessageId was stored before. */
type AppendOutcome =
  | { outcome: 'stored'; conversation: ConversationFace }
  | { outcome: 'repeated'; messageId: string; content: string }
  | { outcome: 'ended' }
  | { outcome: 'missing' };

/**
 * Conversations and their messages. Every statement names the contact, or the workspace, so that no caller can forget
 * to. Ids must be well-formed UUIDs; the service checks them.
 */
export class ConversationsRepository {
  readonly search: SearchRepository;
  readonly #db: Db;
  readonly #ring: () => void;

  /** @param ring called after events were stored */
  constructor(db: Db, ring: () => void = () => {}) {
    this.#db = db;
    this.#ring = ring;
    this.search = new SearchRepository(db);
  }

  /** Counts a user's conversations from this id on, up to `limit`. */
  async countSince(scope: ContactScope, id: string, limit: number): Promise<number> {
    const since = this.#db
      .select({ id: conversations.id })
      .from(conversations)
      .where(and(inScope(conversations, scope), gte(conversations.id, id)))
      .limit(limit)
      .as('since');
    const [row] = await this.#db.select({ n: count() }).from(since);
    return row?.n ?? 0;
  }

  /** Stores a conversation with the welcome as its first message. */
  async insert(
    scope: ContactScope,
    conversation: NewConversation,
    welcome: { id: string; content: string },
  ): Promise<ConversationRecord> {
    const { at, ...values } = conversation;
    return this.#telling(async (tx) => {
      const [row] = await tx
        .insert(conversations)
        .values({
          ...values,
          workspaceId: scope.workspaceId,
          contactId: contactIn(scope),
          createdAt: at,
          firstMessageAt: at,
          lastMessageAt: at,
          messageCount: 1,
        })
        .returning();
      await tx.insert(messages).values({
        id: welcome.id,
        conversationId: conversation.id,
        role: 'assistant',
        content: welcome.content,
        createdAt: at,
      });
      if (!row) throw new Error('The database stored a conversation without answering it.');
      await append(tx, [eventOf('conversation.started', row)]);
      return row;
    });
  }

  /** Stores an empty conversation in a live room. */
  async insertLive(
    scope: ContactScope,
    conversation: NewConversation,
    live: LiveCall,
  ): Promise<ConversationRecord> {
    const { at, ...values } = conversation;
    return this.#telling(async (tx) => {
      const [row] = await tx
        .insert(conversations)
        .values({
          ...values,
          workspaceId: scope.workspaceId,
          contactId: contactIn(scope),
          roomName: live.roomName,
          createdAt: at,
        })
        .returning();
      await tx
        .insert(liveCalls)
        .values({ ...live, contactId: contactIn(scope), conversationId: conversation.id });
      if (!row) throw new Error('The database stored a conversation without answering it.');
      await append(tx, [eventOf('conversation.started', row)]);
      return row;
    });
  }

  /** Stores an utterance in a room. @returns null if the record has ended or gone, or has the reply already */
  async appendWords(
    scope: ContactScope,
    conversationId: string,
    words: RoomWords,
  ): Promise<AppendedReply | null> {
    const at = words.at.toISOString();
    return this.#append(
      words,
      words.role === 'assistant' ? 'agent' : 'other',
      sql`
      with owned as (${ownedForUpdate(scope, conversationId)}), added as (
        insert into messages
          (id, conversation_id, role, content, author_id, said_by, reply_to, response_id, interrupted, citations, created_at,
            ${resultColumns})
        select ${words.id}::uuid, owned.id, ${words.role}::message_role, ${words.content},
          ${words.authorId}::uuid, ${words.saidBy}, ${words.replyTo}::uuid, ${words.responseId}::uuid, ${words.interrupted},
          ${json(words.citations)}, ${at}::timestamptz, ${resultValues(words)}
        from owned
        on conflict do nothing
        returning id, conversation_id
      )`,
    );
  }

  async find(scope: ContactScope, id: string): Promise<ConversationRecord | null> {
    const [row] = await acrossRestart(() => this.#db.select().from(conversations).where(owned(scope, id)));
    return row ?? null;
  }

  /** The newest conversations in scope, newest first. */
  async list(scope: Scope, filters: ListFilters, limit: number): Promise<ConversationRecord[]> {
    return this.#db
      .select()
      .from(conversations)
      .where(
        and(
          inScope(conversations, scope),
          inArray(conversations.id, sql`(${newestInScope(scope, filters, limit)})`),
        ),
      )
      .orderBy(desc(conversations.id));
  }

  /** The existing ones of these conversations, newest first. */
  async findAll(scope: Scope, ids: readonly string[]): Promise<ConversationRecord[]> {
    if (ids.length === 0) return [];
    return this.#db
      .select()
      .from(conversations)
      .where(and(inScope(conversations, scope), inArray(conversations.id, [...ids])))
      .orderBy(desc(conversations.id));
  }

  /** A conversation that the viewer may see. */
  async findSeen(sight: Sight, id: string): Promise<ConversationRecord | null> {
    const [row] = await this.#db
      .select()
      .from(conversations)
      .where(and(seenBy(sight), eq(conversations.id, id)));
    return row ?? null;
  }

  /** The contacts of these conversations, and the colleagues in charge. */
  async peopleIn(records: readonly ConversationRecord[]): Promise<PeopleInConversations> {
    if (records.length === 0) return { contacts: new Map(), colleagues: new Map() };
    const served = await this.#db
      .select()
      .from(contacts)
      .where(inArray(contacts.id, [...new Set(records.map(({ contactId }) => contactId))]));
    const assigned = [...new Set(records.flatMap(({ assignedTo }) => assignedTo ?? []))];
    const colleagues =
      assigned.length === 0
        ? []
        : await this.#db
            .select({ id: users.id, name: users.name })
            .from(users)
            .where(inArray(users.id, assigned));
    return {
      contacts: new Map(served.map((each) => [each.id, each])),
      colleagues: new Map(colleagues.map(({ id, name }) => [id, name])),
    };
  }

  /**
   * The customer's and agent's messages of these conversations, oldest first, without system messages.
   * @param after the last message read already
   */
  async messagesOf(
    scope: Scope,
    conversationIds: readonly string[],
    limit: number,
    after: string | null,
  ): Promise<SaidMessage[]> {
    if (conversationIds.length === 0) return [];
    const rows = await this.#db
      .select({ message: saidColumns })
      .from(messages)
      .innerJoin(conversations, eq(conversations.id, messages.conversationId))
      .where(
        and(
          inScope(conversations, scope),
          inArray(messages.conversationId, [...conversationIds]),
          ne(messages.role, 'system'),
          after === null ? undefined : gt(messages.id, after),
        ),
      )
      .orderBy(asc(messages.id))
      .limit(limit);
    return rows.map((row) => row.message);
  }

  /**
   * The messages before a user message, oldest first, at most the newest `limit`. A reply comes after its question,
   * even if another message was stored in between; messages that wait for their turn are omitted.
   */
  async historyBefore(
    scope: ContactScope,
    conversationId: string,
    userMessageId: string,
    limit: number,
  ): Promise<MessageRecord[]> {
    const place = sql`coalesce(${messages.replyTo}, ${messages.id})`;
    const rows = await acrossRestart(() =>
      this.#db
        .select({ message: messages })
        .from(messages)
        .innerJoin(conversations, eq(conversations.id, messages.conversationId))
        .where(
          and(
            owned(scope, conversationId),
            ne(messages.role, 'system'),
            lt(place, sql`${userMessageId}::uuid`),
          ),
        )
        .orderBy(desc(place), desc(messages.id))
        .limit(limit),
    );
    return rows.map((row) => row.message).reverse();
  }

  /** The model use of a conversation; null if no model was used. */
  async modelUse(scope: ContactScope, id: string): Promise<ModelUseOfConversation | null> {
    const [row] = await this.#db
      .select({
        input: sql`sum(${modelUses.input})`.mapWith(Number),
        output: sql`sum(${modelUses.output})`.mapWith(Number),
        costMicros: sql<number | null>`sum(${modelUses.costMicros})`.mapWith(Number),
      })
      .from(modelUses)
      .where(and(eq(modelUses.contactId, contactIn(scope)), eq(modelUses.conversationId, id)))
      .groupBy(modelUses.conversationId);
    return row ?? null;
  }

  /** Conversations of all users without a message since then, longest ago first. */
  async quietSince(moment: Date, limit: number): Promise<OldConversation[]> {
    const lastAt = sql`coalesce(${conversations.lastMessageAt}, ${conversations.createdAt})`;
    return (
      this.#db
        .select(oldColumns)
        .from(conversations)
        // A conversation is older than its last message, and ids are in order of creation.
        .where(
          and(
            lt(conversations.id, firstIdOf(moment.getTime())),
            sql`${lastAt} < ${moment.toISOString()}::timestamptz`,
          ),
        )
        .orderBy(conversations.id)
        .limit(limit)
    );
  }

  /**
   * Conversations of all users, except live calls, without a customer's word and without an agent's since then, longest
   * ago first.
   */
  async unspokenSince(moment: Date, limit: number): Promise<OldConversation[]> {
    return this.#db
      .select(oldColumns)
      .from(conversations)
      .where(
        and(
          lt(conversations.id, firstIdOf(moment.getTime())),
          sql`coalesce(${conversations.lastMessageAt}, ${conversations.createdAt}) < ${moment.toISOString()}::timestamptz`,
          sql`not exists (
            select from ${messages} where ${messages.conversationId} = ${conversations.id} and ${messages.role} = 'user'
          )`,
          sql`not exists (select from ${liveCalls} where ${liveCalls.conversationId} = ${conversations.id})`,
        ),
      )
      .orderBy(conversations.id)
      .limit(limit);
  }

  /** Whether a conversation has a customer's word. */
  async isSpokenIn(scope: ContactScope, id: string): Promise<boolean> {
    return (await this.#findMessage(scope, id, eq(messages.role, 'user'))) !== null;
  }

  /** Deletes a conversation without a customer's word. @returns whether it was deleted */
  async deleteUnspoken(scope: ContactScope, id: string): Promise<boolean> {
    return this.#telling(async (tx) => {
      // The lock orders this with a message that arrives at the same moment.
      const [row] = await tx
        .select({ id: conversations.id })
        .from(conversations)
        .where(owned(scope, id))
        .for('update');
      if (!row) return false;
      const [word] = await tx
        .select({ id: messages.id })
        .from(messages)
        .where(and(eq(messages.conversationId, id), eq(messages.role, 'user')))
        .limit(1);
      if (word) return false;
      await this.#delete(tx, owned(scope, id));
      return true;
    });
  }

  async delete(scope: ContactScope, id: string): Promise<boolean> {
    const gone = await this.#telling((tx) => this.#delete(tx, owned(scope, id)));
    return gone.length > 0;
  }

  /** Deletes some of a contact's conversations, oldest first. @returns their ids */
  async deleteSome(scope: ContactScope, limit: number): Promise<string[]> {
    const oldest = this.#db
      .select({ id: conversations.id })
      .from(conversations)
      .where(inScope(conversations, scope))
      .orderBy(asc(conversations.id))
      .limit(limit);
    const some = and(inScope(conversations, scope), inArray(conversations.id, oldest));
    return this.#telling((tx) => this.#delete(tx, some));
  }

  async #delete(tx: Tx, which: SQL | undefined): Promise<string[]> {
    const { id, workspaceId, contactId } = conversations;
    const gone = await tx.delete(conversations).where(which).returning({ id, workspaceId, contactId });
    await append(
      tx,
      gone.map((each) => eventOf('conversation.deleted', each)),
    );
    return gone.map((each) => each.id);
  }

  /** Ends a conversation; an ended one keeps its time. */
  async end(scope: ContactScope, id: string, at: Date): Promise<ConversationRecord | null> {
    return this.#telling(async (tx) => {
      const [before] = await tx.select().from(conversations).where(owned(scope, id)).for('update');
      if (!before || before.endedAt) return before ?? null;
      const [row] = await tx
        .update(conversations)
        .set({ endedAt: at, state: 'ended' })
        .where(owned(scope, id))
        .returning();
      if (row) await append(tx, [eventOf('conversation.ended', row)]);
      return row ?? null;
    });
  }

  /** Sets a title unless it was changed meanwhile. */
  async rename(scope: ContactScope, id: string, from: string, to: string): Promise<boolean> {
    const rows = await this.#db
      .update(conversations)
      .set({ title: to, searchStale: true })
      .where(and(owned(scope, id), eq(conversations.title, from)))
      .returning({ id: conversations.id });
    return rows.length > 0;
  }

  /** Runs a change that stores events, and rings once it is committed. */
  async #telling<T>(change: (tx: Tx) => Promise<T>): Promise<T> {
    const done = await this.#db.transaction(change);
    this.#ring();
    return done;
  }

  /**
   * Stores a user message in an open conversation, once per clientMessageId. One statement, because a customer waits
   * for it: the row lock keeps count and times right under races.
   */
  async appendUserMessage(
    scope: ContactScope,
    conversationId: string,
    message: NewUserMessage,
  ): Promise<AppendOutcome> {
    const at = message.at.toISOString();
    const taken = message.isTurn
      ? { type: 'turn.taken' as const, data: { messageId: message.id, times: 1 } }
      : { type: 'message.stored' as const, data: { messageId: message.id, by: 'contact' as const } };
    const append = () =>
      this.#db.execute<ConversationFace & { added: boolean }>(sql`
      with owned as (
        select id, workspace_id, contact_id, agent_id, agent_name, company_name, title, room_name, ended_at
        from conversations where id = ${conversationId}::uuid and contact_id = ${scope.contactId}::uuid
          and workspace_id = ${scope.workspaceId}::uuid
        for update
      ), added as (
        insert into messages (id, conversation_id, role, content, client_message_id, created_at)
        select ${message.id}::uuid, owned.id, 'user', ${message.content}, ${message.clientMessageId}, ${at}::timestamptz
        from owned where owned.ended_at is null
        on conflict do nothing
        returning conversation_id
      ), counted as (
        update conversations set
          message_count = message_count + 1,
          search_stale = true,
          first_message_at = coalesce(first_message_at, ${at}::timestamptz),
          last_message_at = greatest(last_message_at, ${at}::timestamptz)
        where id in (select conversation_id from added)
      ), told as (${appendWith(sql`(select * from owned where exists (select from added))`, [taken])})
      select id, workspace_id as "workspaceId", agent_id as "agentId", agent_name as "agentName", company_name as "companyName", title,
        room_name as "roomName", exists (select 1 from added) as added
      from owned
    `);
    // Without a clientMessageId, a message cannot be distinguished from a second one.
    const { rows } = await (message.clientMessageId ? acrossRestart(append) : append());
    const [row] = rows;
    if (!row) return { outcome: 'missing' };
    const { added, ...conversation } = row;
    if (added) {
      this.#ring();
      return { outcome: 'stored', conversation };
    }
    const repeated = message.clientMessageId
      ? await this.#findByClientId(scope, conversationId, message.clientMessageId)
      : null;
    // Stored by the attempt that a restart of the database broke off.
    if (repeated?.id === message.id) return { outcome: 'stored', conversation };
    if (repeated) return { outcome: 'repeated', messageId: repeated.id, content: repeated.content };
    return { outcome: 'ended' };
  }

  /**
   * Stores the reply to a user message and its effects on the conversation in one statement.
   * @returns null if there was one already, or the conversation has ended or gone
   */
  async appendReply(
    scope: ContactScope,
    conversationId: string,
    reply: NewReply,
  ): Promise<AppendedReply | null> {
    const at = reply.at.toISOString();
    const append = () =>
      this.#append(
        reply,
        'agent',
        sql`
      with owned as (${ownedForUpdate(scope, conversationId)}), added as (
        insert into messages
          (id, conversation_id, role, content, author_id, said_by, reply_to, response_id, interrupted, citations,
            created_at, ${resultColumns})
        select ${reply.id}::uuid, owned.id, 'assistant', ${reply.content}, ${reply.authorId}::uuid, ${reply.saidBy},
          ${reply.replyTo}::uuid, ${reply.responseId}::uuid, ${reply.interrupted}, ${json(reply.citations)}, ${at}::timestamptz,
          ${resultValues(reply)}
        from owned
        where not exists (
          select 1 from messages
          where conversation_id = ${conversationId}::uuid and reply_to = ${reply.replyTo}::uuid
        )
        on conflict do nothing
        returning id, conversation_id
      )`,
      );
    return acrossRestart(append);
  }

  /** Records that a message's turn was taken again, or ended without a reply. */
  async tellOfTurn(
    scope: ContactScope,
    conversationId: string,
    turn:
      | { type: 'turn.taken'; data: { messageId: string; times: number } }
      | { type: 'turn.failed'; data: { messageId: string } },
  ): Promise<void> {
    const { workspaceId, contactId } = scope;
    await append(this.#db, [{ ...turn, workspaceId, contactId, conversationId }]);
    this.#ring();
  }

  /**
   * Turns of all contacts within the last minutes that were taken and not answered, in open conversations with an
   * agent, oldest first.
   * @param since the event that took one of them; null: no bound
   */
  async turnsLeft(minutes: number, since: number | null): Promise<LeftTurn[]> {
    const recent = sql`now() - make_interval(mins => ${minutes})`;
    const { rows } = await this.#db.execute<
      Omit<LeftTurn, 'scope'> & { workspaceId: string; contactId: string }
    >(sql`
      select turns.workspace_id as "workspaceId", turns.contact_id as "contactId", turns.conversation_id as "conversationId",
        turns.message_id as "messageId", turns.id::float8 as "takenAs", turns.times
      from (
        select distinct on (data ->> 'messageId') id, type, workspace_id, contact_id, conversation_id,
          (data ->> 'messageId')::uuid as message_id, (data ->> 'times')::int as times
        from events
        where type in ('turn.taken', 'turn.failed') and ${since === null ? sql`at > ${recent}` : sql`id >= ${since}`}
        order by data ->> 'messageId', id desc
      ) as turns
        join conversations
          on conversations.id = turns.conversation_id and conversations.contact_id = turns.contact_id
        join messages on messages.id = turns.message_id
      where turns.type = 'turn.taken' and messages.created_at > ${recent}
        and conversations.state = 'open' and conversations.room_name is null
        and not exists (select from messages as replies where replies.reply_to = turns.message_id)
      order by turns.message_id`);
    return rows.map(({ workspaceId, contactId, ...turn }) => ({
      ...turn,
      scope: { workspaceId, contactId },
    }));
  }

  /** @param added the beginning of a statement: `owned`, the conversation, and `added`, its new message */
  async #append(
    reply: RoomWords | NewReply,
    by: 'agent' | 'other',
    added: SQL,
  ): Promise<AppendedReply | null> {
    const { id: replyId, replyTo } = reply;
    const at = reply.at.toISOString();
    const outcome = playedOutcome(reply);
    const counts = outcome === 'asked-back' ? null : outcome;
    const isUnanswered = (outcome === 'declined' || outcome === 'offered') && reply.question !== null;
    const { rows } = await this.#db.execute<{
      outcome: Outcome | null;
      contact: Contact | null;
      changed: boolean;
    }>(sql`
      ${added}, counted as (
        update conversations set
          message_count = message_count + 1,
          search_stale = true,
          first_message_at = coalesce(first_message_at, ${at}::timestamptz),
          last_message_at = greatest(last_message_at, ${at}::timestamptz),
          outcome = greatest(outcome, ${counts}::outcome),
          contact = coalesce(${json(reply.contact)}, contact)
        where id in (select conversation_id from added)
        returning id, outcome, contact
      ), unanswered as (
        insert into unanswered_questions
          (message_id, conversation_id, workspace_id, agent_id, agent_name, question, reply_id, asked_at)
        select ${reply.replyTo}::uuid, owned.id, owned.workspace_id, owned.agent_id, owned.agent_name,
          ${reply.question}, added.id, ${at}::timestamptz
        from added join owned on owned.id = added.conversation_id
        -- In a live room it is for whoever's agent it was to answer, and listed in their record alone.
        where ${isUnanswered} and ${reply.replyTo}::uuid is not null
          and (owned.room_name is null or owned.agent_id is not null)
        on conflict do nothing
        returning message_id
      ), taken_up as (
        update unanswered_questions set answered_by = added.id
        from added
        where ${outcome === 'answered'} and reply_id = (
          select case outcome when 'offered' then id end from messages
          where conversation_id = added.conversation_id and outcome not in ('social', 'asked-back')
          order by id desc limit 1
        )
      ), told as (${appendWith(
        sql`(
          select owned.id, owned.workspace_id, owned.contact_id,
            counted.contact is distinct from owned.contact as has_left,
            counted.outcome = 'handover' and owned.outcome is distinct from 'handover' as is_handover,
            exists (select from unanswered) as is_unanswered
          from counted join owned on owned.id = counted.id
        )`,
        [
          replyTo === null
            ? { type: 'message.stored', data: { messageId: replyId, by } }
            : { type: 'turn.answered', data: { messageId: replyTo, replyId } },
          { type: 'contact.left', data: { replyId }, isSo: sql`has_left` },
          { type: 'handoff.asked', data: { replyId }, isSo: sql`is_handover` },
          ...(replyTo === null
            ? []
            : [
                {
                  type: 'unanswered.found' as const,
                  data: { messageId: replyTo, replyId },
                  isSo: sql`is_unanswered`,
                },
              ]),
        ],
      )})
      select counted.outcome, counted.contact,
        (counted.outcome, counted.contact) is distinct from (owned.outcome, owned.contact) as changed
      from counted join owned on owned.id = counted.id
    `);
    const [row] = rows;
    if (!row) return null;
    this.#ring();
    const { changed, ...result } = row;
    return { changed: changed ? result : null };
  }

  /** A customer's message by its id. */
  async findUserMessage(
    scope: ContactScope,
    conversationId: string,
    id: string,
  ): Promise<MessageRecord | null> {
    const message = await this.#findMessage(scope, conversationId, eq(messages.id, id));
    return message?.role === 'user' ? message : null;
  }

  async findReplyTo(
    scope: ContactScope,
    conversationId: string,
    userMessageId: string,
  ): Promise<MessageRecord | null> {
    return this.#findMessage(scope, conversationId, eq(messages.replyTo, userMessageId));
  }

  async findReply(
    scope: ContactScope,
    conversationId: string,
    responseId: string,
  ): Promise<MessageRecord | null> {
    return this.#findMessage(scope, conversationId, eq(messages.responseId, responseId));
  }

  /**
   * Cuts a reply to the part played. The first cut stays. A reply of which nothing was played has no outcome.
   * @returns the conversation's result without it; null: unchanged
   */
  async cutReply(
    scope: ContactScope,
    conversationId: string,
    messageId: string,
    played: { content: string; citations: Citation[] },
  ): Promise<ConversationResult | null> {
    const isWithdrawn = played.content === '';
    return this.#db.transaction(async (tx) => {
      const [before] = await tx
        .select({ outcome: conversations.outcome })
        .from(conversations)
        .where(owned(scope, conversationId))
        .for('update');
      if (!before) return null;
      const cut = await tx
        .update(messages)
        .set({
          content: played.content,
          citations: played.citations,
          interrupted: true,
          ...(isWithdrawn ? { outcome: null } : {}),
        })
        .where(
          and(
            eq(messages.id, messageId),
            eq(messages.conversationId, conversationId),
            eq(messages.interrupted, false),
          ),
        )
        .returning({ id: messages.id });
      if (cut.length === 0) return null;
      if (isWithdrawn) {
        await tx.delete(unansweredQuestions).where(eq(unansweredQuestions.replyId, messageId));
        await tx
          .update(unansweredQuestions)
          .set({ answeredBy: null })
          .where(eq(unansweredQuestions.answeredBy, messageId));
      }
      const [after] = await tx
        .update(conversations)
        .set({ searchStale: true, ...(isWithdrawn ? { outcome: strongestOutcome(conversationId) } : {}) })
        .where(owned(scope, conversationId))
        .returning({ outcome: conversations.outcome, contact: conversations.contact });
      return after && after.outcome !== before.outcome ? after : null;
    });
  }

  #findByClientId(scope: ContactScope, conversationId: string, clientMessageId: string) {
    return this.#findMessage(scope, conversationId, eq(messages.clientMessageId, clientMessageId));
  }

  async #findMessage(
    scope: ContactScope,
    conversationId: string,
    condition: ReturnType<typeof eq>,
  ): Promise<MessageRecord | null> {
    const [row] = await acrossRestart(() =>
      this.#db
        .select({ message: messages })
        .from(messages)
        .innerJoin(conversations, eq(conversations.id, messages.conversationId))
        .where(and(owned(scope, conversationId), condition))
        .limit(1),
    );
    return row?.message ?? null;
  }
}

type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];

const eventOf = (
  type: 'conversation.started' | 'conversation.ended' | 'conversation.deleted',
  { id, workspaceId, contactId }: Pick<ConversationRecord, 'id' | 'workspaceId' | 'contactId'>,
): NewEvent => ({ type, workspaceId, contactId, conversationId: id, data: {} });

const owned = (scope: ContactScope, id: string) =>
  and(inScope(conversations, scope), eq(conversations.id, id));

const ownedForUpdate = (scope: ContactScope, id: string) => sql`
  select id, workspace_id, contact_id, agent_id, agent_name, room_name, outcome, contact from conversations
  where id = ${id}::uuid and contact_id = ${scope.contactId}::uuid
          and workspace_id = ${scope.workspaceId}::uuid and ended_at is null
  for update`;

const resultColumns = sql.raw('outcome, state, topic');

const resultValues = (reply: ReplyResult & { content: string }) =>
  sql`${playedOutcome(reply)}::outcome, ${json(reply.state)}, ${reply.topic}`;

/** Words that were not played have no outcome. */
const playedOutcome = ({ outcome, content }: Pick<NewReply, 'outcome' | 'content'>) =>
  content === '' ? null : outcome;

const strongestOutcome = (conversationId: string) => sql`(
  select max(outcome) from messages
  where conversation_id = ${conversationId}::uuid and outcome <> 'asked-back'
)`;

/** JSON that PostgreSQL accepts: without NUL and unpaired surrogates. */
function json(value: unknown): SQL {
  const text = JSON.stringify(value ?? null, (_key, each: unknown) =>
    typeof each === 'string' ? storable(each) : each,
  );
  return value === undefined || value === null ? sql`null::jsonb` : sql`${text}::jsonb`;
}
