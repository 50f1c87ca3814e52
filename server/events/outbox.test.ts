import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { MemoryState } from '#server/engines/shared-state/memory';
import { door } from '../../tests/support/scripted-engines.ts';
import { openTestDatabase, type TestDatabase } from '../../tests/support/test-database.ts';
import { Bell } from './bell.ts';
import { Outbox } from './outbox.ts';
import { append, EventsRepository } from './repository.ts';
import { type Subscription, subscription } from './subscription.ts';
import type { NewEvent } from './types.ts';

const workspaceId = '018f0000-0000-7000-8000-000000000001';
const contactId = '018f0000-0000-7000-8000-000000000002';
const [one, other] = ['018f0000-0000-7000-8000-00000000000a', '018f0000-0000-7000-8000-00000000000b'];

let database: TestDatabase;
let repository: EventsRepository;
let bell: Bell;
const open: Outbox[] = [];
beforeAll(async () => {
  database = await openTestDatabase();
  repository = new EventsRepository(database.db);
});
afterAll(() => database.close());
beforeEach(async () => {
  bell = new Bell(new MemoryState());
  await database.db.execute(sql`delete from events`);
  await database.db.execute(sql`delete from event_positions`);
});
afterEach(async () => {
  for (const outbox of open.splice(0)) await outbox.close();
});

const failures: { about: object; error: unknown }[] = [];

async function outboxOf(...subscriptions: Subscription[]) {
  failures.length = 0;
  const outbox = new Outbox({
    ...{ repository, bell, alone: database.alone, subscriptions, retriesMs: [1, 1] },
    onFailure: (about, error) => failures.push({ about, error }),
  });
  open.push(outbox);
  await outbox.start();
  return outbox;
}

/** Records the events received, as texts. */
function listener(name: string, handle: (messageId: string) => Promise<void> | void = () => {}) {
  const heard: string[] = [];
  const theirs = subscription({
    name,
    types: ['turn.taken'],
    async handle({ data: { messageId } }) {
      await handle(messageId);
      heard.push(messageId);
    },
  });
  return { theirs, heard };
}

const taken = (messageId: string, conversationId = one): NewEvent => ({
  type: 'turn.taken',
  ...{ workspaceId, conversationId, contactId },
  data: { messageId, times: 1 },
});
const ended: NewEvent = {
  type: 'conversation.ended',
  ...{ workspaceId, conversationId: one, contactId },
  data: {},
};

/** Stores events without ringing. */
const happens = (...events: NewEvent[]) => database.db.transaction((tx) => append(tx, events));

it('tells subscribers what happened after they began, in order, and nothing of what did not', async () => {
  await happens(taken('before'));
  const { theirs, heard } = listener('a');
  const outbox = await outboxOf(theirs);
  await happens(taken('1'), ended, taken('2', other), taken('3'));
  await database.db
    .transaction(async (tx) => {
      await append(tx, [taken('never')]);
      throw new Error('It did not happen.');
    })
    .catch(() => {});
  await outbox.idle();
  expect(heard.filter((each) => each !== '2')).toEqual(['1', '3']);
  expect([...heard].sort()).toEqual(['1', '2', '3']);
});

it('tells at once when the bell rings', async () => {
  const told = door();
  const { theirs } = listener('a', () => told.open());
  await (await outboxOf(theirs)).idle();
  await happens(taken('1'));
  bell.ring();
  await told.opened;
});

it('tells what was stored and told nobody when the server was killed, once another reads', async () => {
  const stuck = door();
  const begun = door();
  const killed = listener('a', async () => {
    begun.open();
    await stuck.opened;
  });
  const first = await outboxOf(killed.theirs);
  await happens(taken('1'), taken('2'));
  bell.ring();
  await begun.opened;
  await first.close();
  const { theirs, heard } = listener('a');
  await (await outboxOf(theirs)).idle();
  expect([killed.heard, heard]).toEqual([[], ['1', '2']]);
  stuck.open();
});

it('tells again what a subscriber did whose position was never stored', async () => {
  await repository.positions(['a']);
  await happens(taken('1'));
  const first = listener('a');
  const outbox = await outboxOf(first.theirs);
  await outbox.idle();
  await database.db.execute(sql`update event_positions set position = position - 1`);
  await outbox.close();
  const { theirs, heard } = listener('a');
  await (await outboxOf(theirs)).idle();
  expect([first.heard, heard]).toEqual([['1'], ['1']]);
});

it('reads on one instance at a time, and on the next when that one is gone', async () => {
  const [here, there] = [listener('a'), listener('a')];
  const first = await outboxOf(here.theirs);
  await first.idle();
  await outboxOf(there.theirs);
  await happens(taken('1'));
  await first.idle();
  await first.close();
  await happens(taken('2'));
  await expect.poll(() => there.heard, { timeout: 10_000 }).toEqual(['2']);
  expect(here.heard).toEqual(['1']);
});

it('tries again what failed, keeping back its conversation alone, and other subscribers not at all', async () => {
  let failing = 2;
  const { theirs, heard } = listener('a', (messageId) => {
    if (messageId === '1' && failing-- > 0) throw new Error('Not now.');
  });
  const beside = listener('b');
  const outbox = await outboxOf(theirs, beside.theirs);
  await happens(taken('1'), taken('2'), taken('3', other));
  await outbox.idle();
  expect(heard).toEqual(['3', '1', '2']);
  expect(beside.heard.filter((each) => each !== '3')).toEqual(['1', '2']);
  expect(failures).toEqual([]);
});

it('passes over an event that fails every time, and says so', async () => {
  const { theirs, heard } = listener('a', (messageId) => {
    if (messageId === '1') throw new Error('Never.');
  });
  const outbox = await outboxOf(theirs);
  await happens(taken('1'), taken('2'));
  await outbox.idle();
  expect(heard).toEqual(['2']);
  expect(failures).toMatchObject([
    { about: { subscriber: 'a', event: 'turn.taken' }, error: { message: 'Never.' } },
  ]);
  expect(await outbox.lag()).toEqual([{ subscriber: 'a', unread: 0, oldestSeconds: 0 }]);
});

it('passes over an event of another version', async () => {
  const { theirs, heard } = listener('a');
  const outbox = await outboxOf(theirs);
  await database.db.execute(
    sql`insert into events (workspace_id, type, data) values (${workspaceId}, 'lunch.served', '{}')`,
  );
  await happens(taken('1'));
  await outbox.idle();
  expect(heard).toEqual(['1']);
});

it('says how far behind each subscriber is', async () => {
  await repository.positions(['a', 'b']);
  await happens(taken('1'), taken('2'));
  await database.db.execute(sql`update events set at = now() - interval '1 minute'`);
  await database.db.execute(
    sql`update event_positions set position = (select min(id) from events) where subscriber = 'b'`,
  );
  expect(await repository.lag()).toEqual([
    { subscriber: 'a', unread: 2, oldestSeconds: expect.closeTo(60, -1) },
    { subscriber: 'b', unread: 1, oldestSeconds: expect.closeTo(60, -1) },
  ]);
});

it('removes what everybody has read a day later, and positions of subscribers that are no more', async () => {
  await repository.positions(['gone']);
  const { theirs } = listener('a');
  const outbox = await outboxOf(theirs);
  await happens(taken('old'), taken('new'));
  await database.db.execute(
    sql`update events set at = now() - interval '25 hours' where data ->> 'messageId' = 'old'`,
  );
  const left = async () =>
    (
      await database.db.execute<{ id: string }>(
        sql`select data ->> 'messageId' as id from events order by events.id`,
      )
    ).rows.map(({ id }) => id);
  await repository.positions(['slow']);
  await database.db.execute(sql`update event_positions set position = 0 where subscriber = 'slow'`);
  await repository.removeRead(['a', 'slow'], 24);
  expect(await left()).toEqual(['old', 'new']);
  await outbox.idle();
  await outbox.removeOld();
  expect(await left()).toEqual(['new']);
  expect((await outbox.lag()).map(({ subscriber }) => subscriber)).toEqual(['a']);
});
