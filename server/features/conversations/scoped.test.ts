import { afterAll, beforeAll, expect, it } from 'vitest';
import { conversations, messages, users } from '#server/database/schema';
import { ActionsRepository } from '#server/features/actions/repository';
import { keepAttachedChange } from '#server/features/agents/versions/repository';
import { InsightsRepository } from '#server/features/insights/repository';
import { SentimentRepository } from '#server/features/insights/sentiment/repository';
import { ModelUseRepository } from '#server/features/model-use/repository';
import { aConversation, aMessage, aScope, aUser } from '../../../tests/factories.ts';
import { openTestDatabase, type TestDatabase } from '../../../tests/support/test-database.ts';
import { RecordingsRepository } from './recordings/repository.ts';
import { ConversationsRepository } from './repository.ts';

/* A scope with a contact of one workspace and the id of another finds nothing of either. */

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

it('finds nothing with a contact of another workspace, and stores nothing', async () => {
  const { db } = database;
  const [ada, bob] = [aUser(), aUser()];
  await db.insert(users).values([ada, bob]);
  const talk = aConversation(ada.id, { sentiment: 'urgent', outcome: 'handover' });
  const question = aMessage(talk.id);
  await db.insert(conversations).values(talk);
  await db.insert(messages).values(question);
  const mixed = aScope(ada.id, bob.workspaceId);
  const bounds = { conversationBytes: 1e9, conversationCount: 9, userBytes: 1e9 };
  const [talks, recordings] = [new ConversationsRepository(db), new RecordingsRepository(db)];
  const sentiment = new SentimentRepository(db);

  const found = [
    await talks.find(mixed, talk.id),
    await talks.end(mixed, talk.id, new Date()),
    await talks.modelUse(mixed, talk.id),
    await sentiment.conversation(mixed, talk.id),
  ];
  expect(found).toEqual([null, null, null, null]);
  const listed = [
    await talks.list(mixed, {}, 10),
    await talks.findAll(mixed, [talk.id]),
    await talks.messagesOf(mixed, [talk.id], 10, null),
    await talks.historyBefore(mixed, talk.id, question.id, 10),
    await talks.deleteSome(mixed, 10),
    await recordings.ofMessages(mixed, [talk.id]),
    await recordings.ofConversation(mixed, talk.id),
    await sentiment.conversations(mixed, null, 10),
    await new ModelUseRepository(db).ofConversation(mixed, talk.id),
    await new ActionsRepository(db, keepAttachedChange).runs(mixed, talk.id),
  ];
  expect(listed.flat()).toEqual([]);
  expect(await recordings.room(mixed, talk.id, 1, bounds)).toBe('missing');
  expect(await talks.delete(mixed, talk.id)).toBe(false);
  const usage = await new InsightsRepository(db).usage(mixed, [0, 1], 5);
  expect(usage).toMatchObject({ companies: [], urgent: [], handovers: [] });
  const call = { id: mixed.contactId, agentId: null, agentName: 'Mia', agentVersion: null } as const;
  await expect(
    talks.insert(
      mixed,
      { ...call, companyName: 'Contoso', title: 'x', channel: 'page', at: new Date() },
      { id: question.id, content: 'Hello' },
    ),
  ).rejects.toThrow();
  const own = aScope(ada.id, ada.workspaceId);
  expect(await talks.find(own, talk.id)).toMatchObject({ endedAt: null });
});
