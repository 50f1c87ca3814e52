import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { conversations, messages, users } from '#server/database/schema';
import { ConversationsRepository } from '#server/features/conversations/repository';
import { ConversationsService } from '#server/features/conversations/service';
import { aUser } from '../../tests/factories.ts';
import { openTestDatabase, type TestDatabase } from '../../tests/support/test-database.ts';
import { seedConversations } from './seed-conversations.ts';

const until = new Date('2026-11-20T12:00:00Z');
let database: TestDatabase;
let service: ConversationsService;
beforeAll(async () => {
  database = await openTestDatabase();
  service = new ConversationsService(new ConversationsRepository(database.db));
});
afterAll(() => database.close());

async function ownOf(userId: string) {
  const [user] = await database.db.select().from(users).where(eq(users.id, userId));
  return { workspaceId: user?.workspaceId ?? '', contactId: userId };
}

async function seeded(): Promise<string> {
  const user = aUser();
  await database.db.insert(users).values(user);
  await seedConversations(database, { userId: user.id, conversations: 40, messages: 7, seed: 3, until });
  return user.id;
}

it('writes what the product itself would have written', async () => {
  const userId = await seeded();
  const rows = await database.db.select().from(conversations).where(eq(conversations.contactId, userId));
  expect(rows).toHaveLength(40);
  for (const row of rows) {
    const said = await database.db
      .select()
      .from(messages)
      .where(eq(messages.conversationId, row.id))
      .orderBy(messages.id);
    expect(said).toHaveLength(7);
    expect(row.messageCount).toBe(7);
    expect(row.createdAt).toEqual(said[0]?.createdAt);
    expect(row.firstMessageAt).toEqual(said[0]?.createdAt);
    expect(row.lastMessageAt).toEqual(said.at(-1)?.createdAt);
    expect(row.createdAt < until).toBe(true);
    expect(row.title).not.toBe('');
    // Ids sort in the order of the conversation; each reply names the message before it.
    said.forEach((message, place) => {
      expect(message.role).toBe(place % 2 === 0 ? 'assistant' : 'user');
      expect(message.sentiment === null).toBe(message.role === 'assistant');
      if (place > 0 && message.role === 'assistant') expect(message.replyTo).toBe(said[place - 1]?.id);
    });
    const { conversations: listed } = await service.list(await ownOf(userId), {
      limit: 100,
      view: 'summary',
      from: row.createdAt.toISOString(),
      to: row.createdAt.toISOString(),
    });
    expect(listed.map(({ _id }) => _id)).toContain(row.id);
  }
});

it('can be searched without another look at the messages', async () => {
  const userId = await seeded();
  const { rows } = await database.db.execute<{ stale: number; words: number }>(sql`
    select (select count(*)::int from conversations where contact_id = ${userId} and search_stale) as stale,
      (select count(*)::int from conversation_words where contact_id = ${userId}) as words`);
  expect(rows).toEqual([{ stale: 0, words: 40 }]);
  const found = await service.list(await ownOf(userId), { limit: 100, q: 'help' });
  expect(found.conversations.length).toBeGreaterThan(0);
  for (const { title, messages: said } of found.conversations)
    expect(`${title} ${said?.map(({ content }) => content).join(' ')}`).toMatch(/help/i);
});

it('makes the same conversations from the same seed', async () => {
  const titles = async (userId: string) =>
    (await service.list(await ownOf(userId), { limit: 100 })).conversations.map(
      ({ title, metadata, messages: said }) => [title, metadata, said?.map(({ content }) => content)],
    );
  expect(await titles(await seeded())).toEqual(await titles(await seeded()));
});
