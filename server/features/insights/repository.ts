import { sql } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { contactIn } from '#server/database/scoped';
import type { ContactScope } from '#server/lib/scope';
import type { Contact, Outcome, Sentiment } from '#shared/conversations';

/** The final outcomes of a conversation: `asked-back` is only a step on the way. */
export type CountedOutcome = Exclude<Outcome, 'asked-back'>;

type Labels = Record<Sentiment | CountedOutcome, number>;

interface CompanyUsage extends Labels {
  name: string;
  calls: number;
  durationMs: number;
  messages: number;
  lastActivityMs: number;
}

/** Conversations that began within one of the requested ranges. */
interface RangeUsage extends Labels {
  /** Index of the range, from 0. */
  range: number;
}

interface UrgentConversation {
  id: string;
  title: string;
  lastActivityMs: number;
}

interface LeftToColleague extends UrgentConversation {
  contact: Contact | null;
}

export interface Usage {
  /** Latest contact first. */
  companies: CompanyUsage[];
  /** Ranges without a conversation are omitted. */
  ranges: RangeUsage[];
  /** Newest first. */
  urgent: UrgentConversation[];
  /** Newest first. */
  handovers: LeftToColleague[];
}

/**
 * Sums over a contact's conversations, kept by triggers on `conversations`: reading them touches neither conversations
 * nor messages.
 */
export class InsightsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * All statistics in one query.
   * @param bounds ascending quarters of an hour since 1970 UTC; range n reaches from bound n to before bound n + 1
   * @param newest how many urgent conversations and handovers to list
   */
  async usage(scope: ContactScope, bounds: readonly number[], newest: number): Promise<Usage> {
    const owner = contactIn(scope);
    const { rows } = await this.#db.execute<{ usage: Usage }>(sql`
      select json_build_object(
        'companies', (
          select coalesce(json_agg(json_build_object(
            'name', company_name, 'calls', calls, 'durationMs', duration_ms, 'messages', messages,
            'positive', positive, 'neutral', neutral, 'negative', negative, 'urgent', urgent,
            'answered', answered, 'offered', offered, 'declined', declined, 'handover', handover, 'social', social,
            'lastActivityMs', round(extract(epoch from last_activity) * 1000)
          ) order by last_activity desc, company_name), '[]')
          from usage_by_company where contact_id = ${owner}
        ),
        'ranges', (
          select coalesce(json_agg(ranges), '[]') from (
            select width_bucket(quarter_hour, ${`{${bounds.join()}}`}::int[]) - 1 as range,
              sum(positive) as positive, sum(neutral) as neutral, sum(negative) as negative, sum(urgent) as urgent,
              sum(answered) as answered, sum(offered) as offered, sum(declined) as declined,
              sum(handover) as handover, sum(social) as social
            from usage_by_quarter_hour
            where contact_id = ${owner} and quarter_hour >= ${bounds[0] ?? 0}::int
              and quarter_hour < ${bounds.at(-1) ?? 0}::int
            group by 1
          ) as ranges
        ),
        'urgent', (
          select coalesce(json_agg(urgent order by id desc), '[]') from (
            select id, title,
              round(extract(epoch from coalesce(last_message_at, created_at)) * 1000) as "lastActivityMs"
            from conversations
            where contact_id = ${scope.contactId}::uuid and workspace_id = ${scope.workspaceId}::uuid and sentiment = 'urgent'
            order by id desc limit ${newest}::int
          ) as urgent
        ),
        'handovers', (
          select coalesce(json_agg(handovers order by id desc), '[]') from (
            select id, title, contact,
              round(extract(epoch from coalesce(last_message_at, created_at)) * 1000) as "lastActivityMs"
            from conversations
            where contact_id = ${scope.contactId}::uuid and workspace_id = ${scope.workspaceId}::uuid and outcome = 'handover'
            order by id desc limit ${newest}::int
          ) as handovers
        )
      ) as usage`);
    const [row] = rows;
    if (!row) throw new Error('The database answered an aggregate without a row.');
    return row.usage;
  }

  /** Recounts all sums. Needed after conversations were written with the triggers switched off. */
  async rebuild(): Promise<void> {
    await this.#db.execute(sql`select rebuild_usage()`);
  }
}
