import { and, desc, eq, inArray, isNull, lt, ne, notExists, or } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from '#server/database/open';
import { actionRuns, conversations, messages } from '#server/database/schema';
import type { Scope } from '#server/lib/scope';

/** Something that a customer said and the agent replied to. */
export interface SaidToAgent {
  conversationId: string;
  content: string;
}

const reply = alias(messages, 'reply');

/** What customers asked the agents of a workspace. Every statement names it. Ids must be well-formed UUIDs. */
export class EffectsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** An agent's conversations, newest first. @param before only older ones than this; null: from the newest on */
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
   * What was said in these conversations and replied to, newest first, conversation by conversation; without small talk and
   * without what an action was run for.
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
          // Interrupted before it was known what came of it.
          or(isNull(reply.outcome), ne(reply.outcome, 'social')),
          notExists(run),
        ),
      )
      .orderBy(desc(messages.conversationId), desc(messages.id));
  }
}
