import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryState } from '#server/engines/shared-state/memory';
import { openTestDatabase, type TestDatabase } from '../../tests/support/test-database.ts';
import { Bell } from './bell.ts';
import { Outbox } from './outbox.ts';
import { EventsRepository } from './repository.ts';
import { subscription } from './subscription.ts';

const ID = '018f0000-0000-7000-8000-000000000001';
const INSERT = `insert into events (workspace_id, conversation_id, contact_id, type, data)
  values ('${ID}', '${ID}', '${ID}', 'turn.taken', jsonb_build_object('messageId', $1::text, 'times', 1))`;

// The embedded database runs transactions one after another.
describe.skipIf(!process.env.SIGMA_TEST_DATABASE_URL)('on a PostgreSQL server', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  it('reads nothing behind an event whose transaction is open, and then all in order', async () => {
    const repository = new EventsRepository(database.db);
    const heard: string[] = [];
    const theirs = subscription({
      name: 'a',
      types: ['turn.taken'],
      handle: async ({ data }) => void heard.push(data.messageId),
    });
    const outbox = new Outbox({
      ...{ repository, alone: database.alone, subscriptions: [theirs], onFailure() {} },
      bell: new Bell(new MemoryState()),
    });
    await outbox.start();
    await outbox.idle();
    const [slow, quick] = [await database.pool.connect(), await database.pool.connect()];
    try {
      await slow.query('begin');
      await slow.query(INSERT, ['1']);
      await quick.query(INSERT, ['2']);
      const { newest, writers } = await repository.horizon();
      expect([newest, writers.length]).toEqual([2, 1]);
      const told = outbox.idle();
      // It polls every 20 ms, and would have read by then.
      await pause(200);
      expect(heard).toEqual([]);
      await slow.query('commit');
      await told;
      expect(heard).toEqual(['1', '2']);
    } finally {
      slow.release();
      quick.release();
      await outbox.close();
    }
  });
});
