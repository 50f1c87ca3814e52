import { and, gt, inArray, lte, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { eventPositions, events } from '#server/database/schema';
import type { Horizon } from './settled.ts';
import { type EventOf, type EventType, eventSchema, type NewEvent, type StoredEvent } from './types.ts';

/** Stores events in the transaction of the change that they report. */
export async function append(tx: Pick<Db, 'insert'>, happened: readonly NewEvent[]): Promise<void> {
  if (happened.length > 0) await tx.insert(events).values([...happened]);
}

/** An event of a conversation that a statement may store beside its own change. */
type Told = {
  [T in EventType]: EventOf<T> extends { conversationId: string }
    ? { type: T; data: EventOf<T>['data']; isSo?: SQL | boolean }
    : never;
}[EventType];

/**
 * The part of a statement that stores events of the conversation that it changes: without another query, and
 * atomically.
 * @param conversation the name of a row in the statement with `id`, `workspace_id` and `contact_id`
 * @param told the events, in order; those whose condition is false are omitted
 */
export const appendWith = (conversation: SQL, told: readonly Told[]): SQL => sql`
  insert into events (workspace_id, conversation_id, contact_id, type, data)
  select conversation.workspace_id, conversation.id, conversation.contact_id, told.type, told.data
  from ${conversation} as conversation cross join lateral (values ${sql.join(
    told.map(
      ({ type, data, isSo = true }) => sql`(${type}, ${JSON.stringify(data)}::jsonb, ${isSo}::boolean)`,
    ),
    sql`, `,
  )}) as told(type, data, is_so)
  where told.is_so`;

/** How far a subscriber is behind. */
export interface Lag {
  subscriber: string;
  /** Unread events. */
  unread: number;
  /** Age of the oldest unread event in seconds; 0 without one. */
  oldestSeconds: number;
}

/** Events of all workspaces, and each subscriber's position. */
export class EventsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * A transaction that writes events locks their table in shared mode before it takes an id, until it ends. A later
   * read therefore sees all events of transactions that are not among the writers.
   */
  async horizon(): Promise<Horizon> {
    const { rows } = await this.#db.execute<{ newest: string | null; writers: string[] }>(sql`
      select (select max(id) from events) as newest, array(
        select virtualtransaction from pg_locks
        where locktype = 'relation' and relation = 'events'::regclass and mode = 'RowExclusiveLock'
          and database = (select oid from pg_database where datname = current_database())
      ) as writers`);
    const [row] = rows;
    return { newest: Number(row?.newest ?? 0), writers: row?.writers ?? [] };
  }

  /**
   * Events after `after` up to `last`, oldest first.
   * @returns each with its id; null if this version does not know it
   */
  async read(
    after: number,
    last: number,
    limit: number,
  ): Promise<{ id: number; event: StoredEvent | null }[]> {
    const rows = await this.#db
      .select()
      .from(events)
      .where(and(gt(events.id, after), lte(events.id, last)))
      .orderBy(events.id)
      .limit(limit);
    return rows.map((row) => ({ id: row.id, event: eventSchema.safeParse(row).data ?? null }));
  }

  /** The positions of these subscribers. A new one starts with future events. */
  async positions(subscribers: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (subscribers.length === 0) return new Map();
    await this.#db
      .insert(eventPositions)
      .values(
        subscribers.map((subscriber) => ({
          subscriber,
          position: sql`coalesce((select max(${events.id}) from ${events}), 0)`,
        })),
      )
      .onConflictDoNothing();
    const rows = await this.#db
      .select()
      .from(eventPositions)
      .where(inArray(eventPositions.subscriber, [...subscribers]));
    return new Map(rows.map(({ subscriber, position }) => [subscriber, position]));
  }

  /** Stores positions; one that is further already stays. */
  async moveTo(positions: ReadonlyMap<string, number>): Promise<void> {
    await this.#db.execute(sql`
      update event_positions set position = greatest(event_positions.position, moved.position)
      from unnest(${sql.param([...positions.keys()])}::text[], ${sql.param([...positions.values()])}::bigint[])
        as moved(subscriber, position)
      where event_positions.subscriber = moved.subscriber`);
  }

  /** Deletes events older than `hours` that all these subscribers have read, and the positions of others. */
  async removeRead(subscribers: readonly string[], hours: number): Promise<void> {
    const names = sql.param([...subscribers]);
    await this.#db.execute(sql`delete from event_positions where subscriber <> all(${names}::text[])`);
    await this.#db.execute(sql`
      delete from events
      where id <= (select min(position) from event_positions) and at < now() - make_interval(hours => ${hours})`);
  }

  async lag(): Promise<Lag[]> {
    const { rows } = await this.#db.execute<{ subscriber: string; unread: number; oldest: number }>(sql`
      select subscriber, count(events.id)::int as unread,
        coalesce(extract(epoch from clock_timestamp() - min(events.at)), 0)::float8 as oldest
      from event_positions left join events on events.id > position
      group by subscriber order by subscriber`);
    return rows.map(({ subscriber, unread, oldest }) => ({ subscriber, unread, oldestSeconds: oldest }));
  }
}
