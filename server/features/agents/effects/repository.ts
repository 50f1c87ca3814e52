import { and, desc, eq, inArray, isNull, lt, ne, notExists, or } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from '#server/database/open';
import { actionRuns, conversations, messages } from '#server/database/schema';
import type { Scope } from '#server/lib/scope';

/** An utterance of a customer that the agent replied to. */
export interface SaidToAgent {
  conversationId: string;
  content: string;
}

const reply = alias(messages, 'reply');

/**
 * Questions that customers asked a workspace's agents. Every statement names the workspace. Ids must be well-formed
 * UUIDs.
 */
export class EffectsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** An agent's conversations, newest first. @param before only older ones than this; null: from the newest */
  async conversations(
    scope: Scope,
    agentId: string,
    limit: number,
    before: string | null,
  ): Promise<string[]> {
    const rows = await this.#db
      .select({ id: conversations.id })
      .from(conversations)
      .where(
        and(
          eq(conversations.workspaceId, scope.workspaceId),
          eq(conversations.agentId, agentId),
          before === null ? undefined : lt(conversations.id, before),
        ),
      )
      .orderBy(desc(conversations.id))
      .limit(limit);
    return rows.map(({ id }) => id);
  }

  /**
   * Answered utterances of these conversations, newest first, conversation by conversation; without small talk and
   * without those that ran an action.
   */
  async saidIn(scope: Scope, conversationIds: readonly string[]): Promise<SaidToAgent[]> {
    if (conversationIds.length === 0) return [];
    const run = this.#db
      .select({ id: actionRuns.id })
      .from(actionRuns)
      .where(and(eq(actionRuns.conversationId, messages.conversationId), eq(actionRuns.turnId, messages.id)));
    return this.#db
      .select({ conversationId: messages.conversationId, content: messages.content })
      .from(messages)
      .innerJoin(conversations, eq(conversations.id, messages.conversationId))
      .innerJoin(reply, eq(reply.replyTo, messages.id))
      .where(
        and(
          eq(conversations.workspaceId, scope.workspaceId),
          inArray(messages.conversationId, [...conversationIds]),
          eq(messages.role, 'user'),
          // Interrupted before its outcome was known.
          or(isNull(reply.outcome), ne(reply.outcome, 'social')),
          notExists(run),
        ),
      )
      .orderBy(desc(messages.conversationId), desc(messages.id));
  }
}
