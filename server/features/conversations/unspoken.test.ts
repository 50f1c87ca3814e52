import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { conversations, liveCalls, messages } from '#server/database/schema';
import { aConversation, aMessage, ownScope } from '../../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { ConversationsRepository } from './repository.ts';
import { ConversationsService } from './service.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const at = new Date('2026-01-01T12:00:00Z');

/** An old conversation in which these have spoken. */
async function past(userId: string, ...roles: ('user' | 'assistant')[]): Promise<string> {
  const conversation = aConversation(userId, {
    id: uuidv7({ msecs: at.getTime() }),
    createdAt: at,
    firstMessageAt: at,
    lastMessageAt: at,
  });
  await app.database.db.insert(conversations).values(conversation);
  const said = roles.map((role) => aMessage(conversation.id, { role, createdAt: at }));
  if (said.length > 0) await app.database.db.insert(messages).values(said);
  return conversation.id;
}

it('finds the calls that were cut off before the customer said a word, and those alone', async () => {
  const { user } = await app.signUp();
  const repository = new ConversationsRepository(app.database.db);
  const service = new ConversationsService(repository);
  const greeted = await past(user._id, 'assistant');
  const silent = await past(user._id);
  const spoken = await past(user._id, 'assistant', 'user');
  const live = await past(user._id, 'assistant');
  await app.database.db.insert(liveCalls).values({
    contactId: user._id,
    conversationId: live,
    roomName: 'lobby',
    agentId: null,
    agentOwnerId: null,
    callId: live,
    liveUntil: new Date(),
  });
  const { conversation } = await service.create(
    ownScope(user),
    { id: null, name: 'Sigma', companyName: 'X' },
    'Hi',
  );
  const found = await repository.unspokenSince(new Date(Date.now() - 1_000), 10);
  expect(found.map(({ id }) => id).sort()).toEqual([greeted, silent].sort());
  const closed: string[] = [];
  service.onClosing(({ conversationId }) => closed.push(conversationId));
  for (const id of [greeted, silent, spoken]) await service.deleteUnspoken(ownScope(user), id);
  expect(closed).toEqual([greeted, silent]);
  const left = await repository.list(ownScope(user), {}, 10);
  expect(left.map(({ id }) => id).sort()).toEqual([spoken, live, conversation.id].sort());
});
