import { and, gt, inArray, lte, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { eventPositions, events } from '#server/database/schema';
import type { Horizon } from './settled.ts';
import { type EventOf, type EventType, eventSchema, type NewEvent, type StoredEvent } from './types.ts';

/** Stores what happened, in the transaction in which it happens. */
export async function append(tx: Pick<Db, 'insert'>, happened: readonly NewEvent[]): Promise<void> {
  if (happened.length > 0) await tx.insert(events).values([...happened]);
}

/** An event of a conversation that a statement may store beside what it does. */
type Told = {
  [T in EventType]: EventOf<T> extends { conversationId: string }
    ? { type: T; data: EventOf<T>['data']; isSo?: SQL | boolean }
    : never;
}[EventType];

/**
 * The part of a statement that stores events of the conversation which it changes: no question more, and all of it or nothing.
 * @param conversation where the statement has it: a row with `id`, `workspace_id` and `contact_id`
 * @param told which, in this order; those that are not so are left out
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
  /** Events that it has not read. */
  unread: number;
  /** How long ago the oldest of them was stored, in seconds; 0 where there is none. */
  oldestSeconds: number;
}

/** What happened, in every workspace, and how far each subscriber has read. */
export class EventsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * A transaction that writes events holds a lock of their table until it ends, and has it before it takes an id. What is read
   * after this sees everything of those that are not among the writers.
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
   * Events behind `after` up to `last`, oldest first.
   * @returns each with its id; null where this version does not know it
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

  /** How far each of these subscribers has read. One that is new begins with what happens from now on. */
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

  /** Notes how far subscribers have come; one that is further already stays there. */
  async moveTo(positions: ReadonlyMap<string, number>): Promise<void> {
    await this.#db.execute(sql`
      update event_positions set position = greatest(event_positions.position, moved.position)
      from unnest(${sql.param([...positions.keys()])}::text[], ${sql.param([...positions.values()])}::bigint[])
        as moved(subscriber, position)
      where event_positions.subscriber = moved.subscriber`);
  }

  /** Removes what is older than `hours` and was read by all of these subscribers, and positions of others. */
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
