import { and, asc, eq, gte, isNull, sql } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { modelUseByDay, modelUses } from '#server/database/schema';
import { contactIn } from '#server/database/scoped';
import type { ContactScope, Scope } from '#server/lib/scope';

type ModelUseRecord = typeof modelUses.$inferSelect;

/** The model use of a turn; without a conversation it is only counted. */
export type NewModelUse = Omit<ModelUseRecord, 'conversationId' | 'contactId'> & {
  scope: Scope;
  conversationId: string | null;
};

interface MonthRow {
  /** `YYYY-MM` of UTC. */
  month: string;
  model: string;
  turns: number;
  input: number;
  output: number;
  costMicros: number | null;
}

/** The use of language models, by turn and in sums. Ids must be well-formed UUIDs. */
export class ModelUseRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Stores the use of a turn and adds it to the sums of its day, of its account and of the installation. If the
   * conversation or account is gone, the installation's sum still counts it.
   */
  async add(use: NewModelUse): Promise<void> {
    const { id, conversationId, scope, messageId, model, input, output, costMicros } = use;
    const at = use.at.toISOString();
    await this.#db.execute(sql`
      with turn as (
        insert into model_uses (id, conversation_id, contact_id, message_id, model, input, output, cost_micros, at)
        select ${id}::uuid, conversations.id, conversations.contact_id, ${messageId}::uuid, ${model}, ${input}::int,
          ${output}::int, ${costMicros}::bigint, ${at}::timestamptz
        from conversations
        where conversations.id = ${conversationId}::uuid and conversations.contact_id = ${scope.contactId}::uuid
          and conversations.workspace_id = ${scope.workspaceId}::uuid
      )
      insert into model_use_by_day as sums (contact_id, day, model, turns, input, output, cost_micros)
      select account.id, ${dayOf(use.at)}::date, ${model}, 1, ${input}::bigint, ${output}::bigint, ${costMicros}::bigint
      from (
        select null::uuid as id union all select contacts.id from contacts
        where contacts.id = ${scope.contactId}::uuid and contacts.workspace_id = ${scope.workspaceId}::uuid
      ) as account
      -- Two that add at once wait for each other instead of locking up.
      order by account.id nulls first
      on conflict (contact_id, day, model) do update set
        turns = sums.turns + 1,
        input = sums.input + excluded.input,
        output = sums.output + excluded.output,
        cost_micros = coalesce(sums.cost_micros + excluded.cost_micros, sums.cost_micros, excluded.cost_micros)
    `);
  }

  /** @param scope null: of all accounts. @returns tokens used on the UTC day of a moment */
  async tokensOn(scope: ContactScope | null, at: Date): Promise<number> {
    const [row] = await this.#db
      .select({ tokens: sum(sql`${modelUseByDay.input} + ${modelUseByDay.output}`) })
      .from(modelUseByDay)
      .where(and(of(scope), eq(modelUseByDay.day, dayOf(at))));
    return row?.tokens ?? 0;
  }

  /**
   * Latest month first, with the models of each by name.
   * @param scope null: of all accounts
   * @param since a UTC day
   */
  async months(scope: ContactScope | null, since: Date): Promise<MonthRow[]> {
    const month = sql<string>`to_char(${modelUseByDay.day}, 'YYYY-MM')`;
    return this.#db
      .select({
        month,
        model: modelUseByDay.model,
        turns: sum(modelUseByDay.turns),
        input: sum(modelUseByDay.input),
        output: sum(modelUseByDay.output),
        costMicros: sql<number | null>`sum(${modelUseByDay.costMicros})`.mapWith(Number),
      })
      .from(modelUseByDay)
      .where(and(of(scope), gte(modelUseByDay.day, dayOf(since))))
      .groupBy(month, modelUseByDay.model)
      .orderBy(sql`1 desc`, asc(modelUseByDay.model));
  }

  /** By turn, oldest first. */
  async ofConversation(scope: ContactScope, conversationId: string): Promise<ModelUseRecord[]> {
    return this.#db
      .select()
      .from(modelUses)
      .where(and(eq(modelUses.contactId, contactIn(scope)), eq(modelUses.conversationId, conversationId)))
      .orderBy(asc(modelUses.id));
  }
}

const of = (scope: ContactScope | null) =>
  scope === null ? isNull(modelUseByDay.contactId) : eq(modelUseByDay.contactId, contactIn(scope));

const sum = (value: unknown) => sql<number>`coalesce(sum(${value}), 0)`.mapWith(Number);

/** `YYYY-MM-DD` in UTC. */
const dayOf = (at: Date) => at.toISOString().slice(0, 10);
