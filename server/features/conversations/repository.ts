import { and, asc, desc, eq, inArray, lt, ne, sql } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { conversations, liveCalls, messages } from '#server/database/schema';
import type { Citation } from '#shared/conversations';
import { type ListScope, newestInScope, SearchRepository } from './search/repository.ts';

export type ConversationRecord = typeof conversations.$inferSelect;
export type MessageRecord = typeof messages.$inferSelect;

/** What of a conversation an answer depends on. */
export type ConversationFace = Pick<
  ConversationRecord,
  'id' | 'agentId' | 'agentName' | 'companyName' | 'title' | 'roomName'
>;

export interface NewConversation {
  id: string;
  /** `null`: the demo agent. */
  agentId: string | null;
  agentName: string;
  companyName: string;
  title: string;
  at: Date;
}

/** A live call under way: who takes part besides its owner, and until when somebody surely writes it. */
export interface LiveCall {
  roomName: string;
  /** `null`: the demo agent. */
  agentId: string | null;
  agentOwnerId: string | null;
  liveUntil: Date;
}

/** Something that was said in a room, as it is told in the record of one who was there. */
export interface RoomWords {
  id: string;
  role: 'user' | 'assistant';
  content: string;
  /** The person who said it, where that was not the record's owner. */
  saidBy: string | null;
  /** Of a reply: the message of this record that it answers. */
  replyTo: string | null;
  responseId: string | null;
  interrupted: boolean;
  citations: Citation[];
  at: Date;
}

export interface NewUserMessage {
  id: string;
  content: string;
  clientMessageId: string | null;
  at: Date;
}

export interface NewReply {
  id: string;
  content: string;
  /** The user message it answers. */
  replyTo: string;
  responseId: string;
  interrupted: boolean;
  citations: Citation[];
  at: Date;
}

/** What became of a user message: `repeated` when its clientMessageId had been stored before. */
export type AppendOutcome =
  | { outcome: 'stored'; conversation: ConversationFace }
  | { outcome: 'repeated'; messageId: string; content: string }
  | { outcome: 'ended' }
  | { outcome: 'missing' };

/**
 * Conversations and their messages. Every statement names the owner, so that no caller can forget to.
 * Ids must be well-formed UUIDs; the service sees to it.
 */
export class ConversationsRepository {
  readonly search: SearchRepository;
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
    this.search = new SearchRepository(db);
  }

  /** Stores a conversation with the welcome as its first message. */
  async insert(
    userId: string,
    conversation: NewConversation,
    welcome: { id: string; content: string },
  ): Promise<ConversationRecord> {
    const { at, ...values } = conversation;
    return this.#db.transaction(async (tx) => {
      const [row] = await tx
        .insert(conversations)
        .values({
          ...values,
          userId,
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
      return row;
    });
  }

  /** Stores a conversation that takes place in a live room; nothing was said yet. */
  async insertLive(
    userId: string,
    conversation: NewConversation,
    live: LiveCall,
  ): Promise<ConversationRecord> {
    const { at, ...values } = conversation;
    return this.#db.transaction(async (tx) => {
      const [row] = await tx
        .insert(conversations)
        .values({ ...values, userId, roomName: live.roomName, createdAt: at })
        .returning();
      await tx.insert(liveCalls).values({ ...live, userId, conversationId: conversation.id });
      if (!row) throw new Error('The database stored a conversation without answering it.');
      return row;
    });
  }

  /** Stores what was said in a room, unless the record has ended or gone. @returns whether it was stored */
  async appendWords(userId: string, conversationId: string, words: RoomWords): Promise<boolean> {
    const at = words.at.toISOString();
    const { rows } = await this.#db.execute<{ id: string }>(sql`
      with owned as (
        select id from conversations
        where id = ${conversationId}::uuid and user_id = ${userId}::uuid and ended_at is null
        for update
      ), added as (
        insert into messages
          (id, conversation_id, role, content, said_by, reply_to, response_id, interrupted, citations, created_at)
        select ${words.id}::uuid, owned.id, ${words.role}::message_role, ${words.content}, ${words.saidBy},
          ${words.replyTo}::uuid, ${words.responseId}::uuid, ${words.interrupted},
          ${JSON.stringify(words.citations)}::jsonb, ${at}::timestamptz
        from owned
        on conflict do nothing
        returning id, conversation_id
      ), counted as (
        update conversations set
          message_count = message_count + 1,
          search_stale = true,
          first_message_at = coalesce(first_message_at, ${at}::timestamptz),
          last_message_at = greatest(last_message_at, ${at}::timestamptz)
        where id in (select conversation_id from added)
      )
      select id from added
    `);
    return rows.length > 0;
  }

  async find(userId: string, id: string): Promise<ConversationRecord | null> {
    const [row] = await this.#db.select().from(conversations).where(owned(userId, id));
    return row ?? null;
  }

  /** The newest conversations in scope, newest first. */
  async list(userId: string, scope: ListScope, limit: number): Promise<ConversationRecord[]> {
    return this.#db
      .select()
      .from(conversations)
      .where(
        and(
          eq(conversations.userId, userId),
          inArray(conversations.id, sql`(${newestInScope(userId, scope, limit)})`),
        ),
      )
      .orderBy(desc(conversations.id));
  }

  /** Those of these conversations that are there, newest first. */
  async findAll(userId: string, ids: readonly string[]): Promise<ConversationRecord[]> {
    if (ids.length === 0) return [];
    return this.#db
      .select()
      .from(conversations)
      .where(and(eq(conversations.userId, userId), inArray(conversations.id, [...ids])))
      .orderBy(desc(conversations.id));
  }

  /** What customer and agent said in these conversations, oldest first; system messages stay here. */
  async messagesOf(userId: string, conversationIds: readonly string[]): Promise<MessageRecord[]> {
    if (conversationIds.length === 0) return [];
    const rows = await this.#db
      .select({ message: messages })
      .from(messages)
      .innerJoin(conversations, eq(conversations.id, messages.conversationId))
      .where(
        and(
          eq(conversations.userId, userId),
          inArray(messages.conversationId, [...conversationIds]),
          ne(messages.role, 'system'),
        ),
      )
      .orderBy(asc(messages.id));
    return rows.map((row) => row.message);
  }

  /**
   * What was said before a user message, oldest first, at most the newest `limit`. A reply stands behind the message
   * it answers, though another message may have come in between; messages that wait for their turn are left out.
   */
  async historyBefore(
    userId: string,
    conversationId: string,
    userMessageId: string,
    limit: number,
  ): Promise<MessageRecord[]> {
    const place = sql`coalesce(${messages.replyTo}, ${messages.id})`;
    const rows = await this.#db
      .select({ message: messages })
      .from(messages)
      .innerJoin(conversations, eq(conversations.id, messages.conversationId))
      .where(
        and(
          owned(userId, conversationId),
          ne(messages.role, 'system'),
          lt(place, sql`${userMessageId}::uuid`),
        ),
      )
      .orderBy(desc(place), desc(messages.id))
      .limit(limit);
    return rows.map((row) => row.message).reverse();
  }

  async delete(userId: string, id: string): Promise<boolean> {
    const rows = await this.#db
      .delete(conversations)
      .where(owned(userId, id))
      .returning({ id: conversations.id });
    return rows.length > 0;
  }

  /** Ends a conversation; one that has ended keeps the time it ended at. */
  async end(userId: string, id: string, at: Date): Promise<ConversationRecord | null> {
    const [row] = await this.#db
      .update(conversations)
      .set({ endedAt: sql`coalesce(${conversations.endedAt}, ${at.toISOString()}::timestamptz)` })
      .where(owned(userId, id))
      .returning();
    return row ?? null;
  }

  /** Gives a title unless somebody gave another one meanwhile. */
  async rename(userId: string, id: string, from: string, to: string): Promise<boolean> {
    const rows = await this.#db
      .update(conversations)
      .set({ title: to, searchStale: true })
      .where(and(owned(userId, id), eq(conversations.title, from)))
      .returning({ id: conversations.id });
    return rows.length > 0;
  }

  /**
   * Stores a user message in an open conversation, once per clientMessageId.
   * One statement, because a customer waits for it: the row lock keeps count and times right under races.
   */
  async appendUserMessage(
    userId: string,
    conversationId: string,
    message: NewUserMessage,
  ): Promise<AppendOutcome> {
    const at = message.at.toISOString();
    const { rows } = await this.#db.execute<ConversationFace & { added: boolean }>(sql`
      with owned as (
        select id, agent_id, agent_name, company_name, title, room_name, ended_at from conversations
        where id = ${conversationId}::uuid and user_id = ${userId}::uuid
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
      )
      select id, agent_id as "agentId", agent_name as "agentName", company_name as "companyName", title,
        room_name as "roomName", exists (select 1 from added) as added
      from owned
    `);
    const [row] = rows;
    if (!row) return { outcome: 'missing' };
    const { added, ...conversation } = row;
    if (added) return { outcome: 'stored', conversation };
    const repeated = message.clientMessageId
      ? await this.#findByClientId(userId, conversationId, message.clientMessageId)
      : null;
    if (repeated) return { outcome: 'repeated', messageId: repeated.id, content: repeated.content };
    return { outcome: 'ended' };
  }

  /**
   * Stores the reply to a user message, unless it has one or the conversation has ended or gone.
   * @returns whether it was stored
   */
  async appendReply(userId: string, conversationId: string, reply: NewReply): Promise<boolean> {
    const at = reply.at.toISOString();
    const { rows } = await this.#db.execute<{ id: string }>(sql`
      with owned as (
        select id from conversations
        where id = ${conversationId}::uuid and user_id = ${userId}::uuid and ended_at is null
        for update
      ), added as (
        insert into messages
          (id, conversation_id, role, content, reply_to, response_id, interrupted, citations, created_at)
        select ${reply.id}::uuid, owned.id, 'assistant', ${reply.content}, ${reply.replyTo}::uuid,
          ${reply.responseId}::uuid, ${reply.interrupted}, ${JSON.stringify(reply.citations)}::jsonb, ${at}::timestamptz
        from owned
        where not exists (
          select 1 from messages
          where conversation_id = ${conversationId}::uuid and reply_to = ${reply.replyTo}::uuid
        )
        on conflict do nothing
        returning id, conversation_id
      ), counted as (
        update conversations set
          message_count = message_count + 1,
          search_stale = true,
          last_message_at = greatest(last_message_at, ${at}::timestamptz)
        where id in (select conversation_id from added)
      )
      select id from added
    `);
    return rows.length > 0;
  }

  async findReplyTo(
    userId: string,
    conversationId: string,
    userMessageId: string,
  ): Promise<MessageRecord | null> {
    return this.#findMessage(userId, conversationId, eq(messages.replyTo, userMessageId));
  }

  async findReply(userId: string, conversationId: string, responseId: string): Promise<MessageRecord | null> {
    return this.#findMessage(userId, conversationId, eq(messages.responseId, responseId));
  }

  /** Cuts a reply to what was heard of it. The first cut stays. */
  async cutReply(
    userId: string,
    conversationId: string,
    messageId: string,
    heard: { content: string; citations: Citation[] },
  ): Promise<void> {
    const cut = await this.#db
      .update(messages)
      .set({ content: heard.content, citations: heard.citations, interrupted: true })
      .where(
        and(
          eq(messages.id, messageId),
          eq(messages.interrupted, false),
          inArray(
            messages.conversationId,
            this.#db
              .select({ id: conversations.id })
              .from(conversations)
              .where(owned(userId, conversationId)),
          ),
        ),
      )
      .returning({ id: messages.id });
    if (cut.length > 0)
      await this.#db.update(conversations).set({ searchStale: true }).where(owned(userId, conversationId));
  }

  #findByClientId(userId: string, conversationId: string, clientMessageId: string) {
    return this.#findMessage(userId, conversationId, eq(messages.clientMessageId, clientMessageId));
  }

  async #findMessage(
    userId: string,
    conversationId: string,
    condition: ReturnType<typeof eq>,
  ): Promise<MessageRecord | null> {
    const [row] = await this.#db
      .select({ message: messages })
      .from(messages)
      .innerJoin(conversations, eq(conversations.id, messages.conversationId))
      .where(and(owned(userId, conversationId), condition))
      .limit(1);
    return row?.message ?? null;
  }
}

const owned = (userId: string, id: string) => and(eq(conversations.userId, userId), eq(conversations.id, id));
