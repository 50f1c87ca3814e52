import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { conversations, messages, users } from '#server/database/schema';
import { aConversation, aMessage, aUser } from '../../../tests/factories.ts';
import { openTestDatabase, type TestDatabase } from '../../../tests/support/test-database.ts';
import { firstIdOf } from './id-times.ts';
import { ConversationsRepository } from './repository.ts';
import { Retention } from './retention.ts';
import { ConversationsService } from './service.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOW = Date.parse('2026-11-22T12:00:00Z');
const before = (days: number) => new Date(NOW - days * DAY_MS);

let database: TestDatabase;
let userId: string;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.execute(sql`truncate users cascade`);
  const user = aUser();
  userId = user.id;
  await database.db.insert(users).values(user);
});

/** A conversation of 100 days ago; the second one has a later message. */
async function conversation(lastSaidDaysAgo: number | null, n: number): Promise<string> {
  const id = firstIdOf(before(100).getTime()).replace(/0$/, String(n));
  const lastMessageAt = lastSaidDaysAgo === null ? null : before(lastSaidDaysAgo);
  await database.db
    .insert(conversations)
    .values(aConversation(userId, { id, createdAt: before(100), lastMessageAt }));
  await database.db.insert(messages).values(aMessage(id));
  return id;
}

function retention(days: number | null, failsFor?: string) {
  const repository = new ConversationsRepository(database.db);
  const service = new ConversationsService(repository);
  const closed: string[] = [];
  const failures: unknown[] = [];
  service.onClosing(({ conversationId, reason }) => closed.push(`${conversationId} ${reason}`));
  return {
    closed,
    failures,
    retention: new Retention({
      days,
      repository,
      delete: async (owner, id) => {
        if (id === failsFor) throw new Error('The store is away.');
        await service.delete(owner, id);
      },
      onFailure: (error) => failures.push(error),
      now: () => NOW,
    }),
  };
}

const left = async () =>
  (await database.db.select({ id: conversations.id }).from(conversations)).map(({ id }) => id);

it('deletes what is older than its days, by the last word, with its messages', async () => {
  const [silent, old, kept] = [
    await conversation(null, 1),
    await conversation(31, 2),
    await conversation(29, 3),
  ];
  const { retention: it, closed, failures } = retention(30);
  await Promise.all([it.run(), it.run()]);
  expect(await left()).toEqual([kept]);
  expect(await database.db.select({ id: messages.conversationId }).from(messages)).toEqual([{ id: kept }]);
  expect(closed).toEqual([`${silent} deleted`, `${old} deleted`]);
  expect(failures).toEqual([]);
});

it('deletes nothing where nobody settled how long they stay', async () => {
  const id = await conversation(90, 1);
  await retention(null).retention.run();
  expect(await left()).toEqual([id]);
});

it('goes on behind one that cannot be deleted, and tries it again next time', async () => {
  const [stuck, other] = [await conversation(80, 1), await conversation(80, 2)];
  const { retention: it, failures } = retention(30, stuck);
  await it.run();
  expect(await left()).toEqual([stuck]);
  expect(failures).toMatchObject([{ message: 'The store is away.' }]);
  expect(other).not.toBe(stuck);
  await retention(30).retention.run();
  expect(await left()).toEqual([]);
});

it('stops between two', async () => {
  await conversation(80, 1);
  const { retention: it } = retention(30);
  await it.stop();
  await it.run();
  expect(await left()).toHaveLength(1);
});
