import { asc } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { events, users } from '#server/database/schema';
import type { ContactScope } from '#server/lib/scope';
import { aScope, aUser } from '../../../tests/factories.ts';
import { openTestDatabase, type TestDatabase } from '../../../tests/support/test-database.ts';
import { ConversationsRepository } from './repository.ts';
import { ConversationsService, type Reply } from './service.ts';

/* Each event is stored in the statement, or the transaction, of the change that it reports. */

let database: TestDatabase;
let service: ConversationsService;
let scope: ContactScope;
let rings: number;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.empty();
  const user = aUser();
  await database.db.insert(users).values(user);
  [scope, rings] = [aScope(user.id, user.workspaceId), 0];
  service = new ConversationsService(new ConversationsRepository(database.db, () => rings++));
});

const told = async () => {
  const rows = await database.db.select().from(events).orderBy(asc(events.id));
  return rows.map(({ type, data }) => [type, data]);
};
const aCall = async () =>
  (await service.create(scope, { id: null, name: 'Mia', companyName: 'Contoso' }, 'Hello')).conversation.id;
const reply = (changes: Partial<Reply> = {}): Reply => ({
  ...{ responseId: uuidv7(), content: 'Well.', citations: [], interrupted: false },
  ...changes,
});

it('tells of a call from its beginning to its end, each thing once', async () => {
  const id = await aCall();
  const question = await service.addUserMessage(scope, id, 'May I speak to a person?', 'a');
  await service.addUserMessage(scope, id, 'May I speak to a person?', 'a');
  const contact = { email: 'ada@example.com' };
  const answer = await service.addReply(scope, id, question.id, reply({ outcome: 'handover', contact }));
  await service.addReply(scope, id, question.id, reply());
  const aside = await service.addUserMessage(scope, id, 'Not you.', 'b', false);
  await service.end(scope, id);
  await service.end(scope, id);
  await service.delete(scope, id);
  expect(await told()).toEqual([
    ['conversation.started', {}],
    ['turn.taken', { messageId: question.id, times: 1 }],
    ['turn.answered', { messageId: question.id, replyId: answer.id }],
    ['contact.left', { replyId: answer.id }],
    ['handoff.asked', { replyId: answer.id }],
    ['message.stored', { messageId: aside.id, by: 'contact' }],
    ['conversation.ended', {}],
    ['conversation.deleted', {}],
  ]);
  const [first] = await database.db.select().from(events).orderBy(asc(events.id)).limit(1);
  expect(first).toMatchObject({ ...scope, conversationId: id });
  expect(rings).toBeGreaterThanOrEqual(7);
});

it('tells of a question that stays unanswered, and of what others say in a room', async () => {
  const id = await aCall();
  const question = await service.addUserMessage(scope, id, 'Do you ship to Norway?', undefined);
  const declined = reply({ outcome: 'declined', question: 'Do you ship to Norway?' });
  const answer = await service.addReply(scope, id, question.id, declined);
  const words = await service.addWords(scope, id, { role: 'user', content: 'Hi.', saidBy: 'Bob' });
  expect((await told()).slice(2)).toEqual([
    ['turn.answered', { messageId: question.id, replyId: answer.id }],
    ['unanswered.found', { messageId: question.id, replyId: answer.id }],
    ['message.stored', { messageId: words.id, by: 'other' }],
  ]);
});

it('tells of every conversation that is deleted with its account', async () => {
  const ids = [await aCall(), await aCall()];
  await service.deleteAll(scope);
  const deleted = (await database.db.select().from(events).orderBy(asc(events.id))).slice(2);
  expect(deleted.map(({ type, conversationId }) => [type, conversationId])).toEqual(
    expect.arrayContaining(ids.map((id) => ['conversation.deleted', id])),
  );
});
