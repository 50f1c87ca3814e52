import { and, asc, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { conversations, messages } from '#server/database/schema';
import { inScope } from '#server/database/scoped';
import type { MessageSentiment } from '#server/engines/sentiment/contract';
import { appendWith } from '#server/events/repository';
import type { ContactScope } from '#server/lib/scope';
import type { Sentiment } from '#shared/conversations';

/** A label to be stored. */
export interface Labelled extends MessageSentiment {
  id: string;
}

/** A customer's message with its current label. */
export interface CustomerMessage {
  id: string;
  conversationId: string;
  content: string;
  label: Sentiment | null;
  score: number | null;
}

export interface LabelledConversation {
  id: string;
  label: Sentiment;
  score: number | null;
}

const customerMessage = {
  id: messages.id,
  conversationId: messages.conversationId,
  content: messages.content,
  label: messages.sentiment,
  score: messages.sentimentScore,
};

/** In a live room others speak, too: their mood is not the customer's. */
const saidByTheCustomer = and(eq(messages.role, 'user'), isNull(messages.saidBy));

const labelledConversation = {
  id: conversations.id,
  label: conversations.sentiment,
  score: conversations.sentimentScore,
};

/**
 * Labels of conversations and of customers' messages. Every statement names the contact. Ids must be well-formed UUIDs.
 */
export class SentimentRepository {
  readonly #db: Db;
  readonly #ring: () => void;

  /** @param ring called after events were stored */
  constructor(db: Db, ring: () => void = () => {}) {
    this.#db = db;
    this.#ring = ring;
  }

  /** The customer's newest messages of a conversation, oldest first. */
  async newestMessages(
    scope: ContactScope,
    conversationId: string,
    limit: number,
  ): Promise<CustomerMessage[]> {
    const rows = await this.#db
      .select(customerMessage)
      .from(messages)
      .innerJoin(conversations, eq(conversations.id, messages.conversationId))
      .where(and(inScope(conversations, scope), eq(conversations.id, conversationId), saidByTheCustomer))
      .orderBy(desc(messages.id))
      .limit(limit);
    return rows.reverse();
  }

  async conversation(scope: ContactScope, id: string): Promise<LabelledConversation | null> {
    const [row] = await this.#db
      .select(labelledConversation)
      .from(conversations)
      .where(and(inScope(conversations, scope), eq(conversations.id, id)));
    return row ?? null;
  }

  /** Conversations by id. @param after the last id of the page before */
  async conversations(
    scope: ContactScope,
    after: string | null,
    limit: number,
  ): Promise<LabelledConversation[]> {
    return this.#db
      .select(labelledConversation)
      .from(conversations)
      .where(and(inScope(conversations, scope), after === null ? undefined : gt(conversations.id, after)))
      .orderBy(asc(conversations.id))
      .limit(limit);
  }

  /** Customers' messages of these conversations, conversation by conversation, oldest first. */
  async messagesAfter(
    scope: ContactScope,
    conversationIds: readonly string[],
    after: Pick<CustomerMessage, 'id' | 'conversationId'> | null,
    limit: number,
  ): Promise<CustomerMessage[]> {
    return this.#db
      .select(customerMessage)
      .from(messages)
      .innerJoin(conversations, eq(conversations.id, messages.conversationId))
      .where(
        and(
          inScope(conversations, scope),
          inArray(messages.conversationId, [...conversationIds]),
          saidByTheCustomer,
          after === null
            ? undefined
            : sql`(${messages.conversationId}, ${messages.id}) > (${after.conversationId}::uuid, ${after.id}::uuid)`,
        ),
      )
      .orderBy(asc(messages.conversationId), asc(messages.id))
      .limit(limit);
  }

  async labelMessages(scope: ContactScope, labelled: readonly Labelled[]): Promise<void> {
    if (labelled.length === 0) return;
    await this.#db.execute(sql`
      update messages set sentiment = new.label, sentiment_score = new.score
      from ${rowsOf(labelled)}, conversations
      where messages.id = new.id and conversations.id = messages.conversation_id
        and conversations.contact_id = ${scope.contactId}::uuid and conversations.workspace_id = ${scope.workspaceId}::uuid`);
  }

  /** @returns the ids of conversations whose label changed */
  async labelConversations(scope: ContactScope, labelled: readonly Labelled[]): Promise<string[]> {
    if (labelled.length === 0) return [];
    const { rows } = await this.#db.execute<{ id: string; before: Sentiment }>(sql`
      with before as (
        select id, sentiment from conversations
        where id = any(${sql.param(labelled.map(({ id }) => id))}::uuid[]) and contact_id = ${scope.contactId}::uuid and workspace_id = ${scope.workspaceId}::uuid
        order by id for no key update
      ), labelled as (
        update conversations set sentiment = new.label, sentiment_score = new.score
        from ${rowsOf(labelled)}, before
        where conversations.id = new.id and before.id = new.id
        returning conversations.id, conversations.workspace_id, conversations.contact_id, before.sentiment as before,
          conversations.ended_at is null and new.label = 'urgent' and before.sentiment <> 'urgent' as is_urgent_now
      ), told as (${appendWith(sql`labelled`, [
        { type: 'conversation.urgent', data: {}, isSo: sql`is_urgent_now` },
      ])})
      select id, before from labelled`);
    this.#ring();
    const labels = new Map(labelled.map(({ id, label }) => [id, label]));
    return rows.flatMap(({ id, before }) => (labels.get(id) === before ? [] : [id]));
  }
}

const rowsOf = (labelled: readonly Labelled[]) => sql`unnest(
    ${sql.param(labelled.map(({ id }) => id))}::uuid[],
    ${sql.param(labelled.map(({ label }) => label))}::sentiment[],
    ${sql.param(labelled.map(({ score }) => score))}::real[]) as new(id, label, score)`;
