import { eq, sql } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { conversations } from '#server/database/schema';
import type { Sentiment } from '#shared/conversations';

export interface ConversationTotals {
  conversations: number;
  messages: number;
  averageDurationMs: number;
  lastActivity: Date | null;
  /** Newest contact first. */
  companies: string[];
  bySentiment: Record<Sentiment, number>;
}

/** Sums over a user's conversations. They read no messages: each conversation keeps its own counts and times. */
export class InsightsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async totals(userId: string): Promise<ConversationTotals> {
    const mine = eq(conversations.userId, userId);
    const labelled = (label: Sentiment) =>
      sql<number>`(count(*) filter (where ${conversations.sentiment} = ${label}))::int`;
    const [row] = await this.#db
      .select({
        conversations: sql<number>`count(*)::int`,
        messages: sql<number>`coalesce(sum(${conversations.messageCount}), 0)::int`,
        averageDurationMs: sql<number>`coalesce(avg(extract(epoch from
          coalesce(${conversations.lastMessageAt} - ${conversations.firstMessageAt}, interval '0')) * 1000), 0)::float8`,
        lastActivityMs: sql<number | null>`(extract(epoch from
          max(coalesce(${conversations.lastMessageAt}, ${conversations.createdAt}))) * 1000)::float8`,
        positive: labelled('positive'),
        neutral: labelled('neutral'),
        negative: labelled('negative'),
        urgent: labelled('urgent'),
        companies: sql<string[]>`coalesce((
          select json_agg(company_name order by newest desc) from (
            select company_name, max(id::text) as newest from conversations
            where user_id = ${userId}::uuid group by company_name
          ) as companies), '[]'::json)`,
      })
      .from(conversations)
      .where(mine);
    if (!row) throw new Error('The database answered an aggregate without a row.');
    const { positive, neutral, negative, urgent } = row;
    return {
      conversations: row.conversations,
      messages: row.messages,
      averageDurationMs: row.averageDurationMs,
      lastActivity: row.lastActivityMs === null ? null : new Date(Math.round(row.lastActivityMs)),
      companies: row.companies,
      bySentiment: { positive, neutral, negative, urgent },
    };
  }
}
