import { setTimeout as delay } from 'node:timers/promises';
import { asc, eq } from 'drizzle-orm';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { conversations, messages, users } from '#server/database/schema';
import type { SentimentEngine } from '#server/engines/sentiment/contract';
import { createFakeSentiment } from '#server/engines/sentiment/fake';
import { MemoryState } from '#server/engines/shared-state/memory';
import type { ContactScope } from '#server/lib/scope';
import { aConversation, aMessage, aScope, aUser, ownScope } from '../../../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { SentimentRepository } from './repository.ts';
import { SentimentService } from './service.ts';

let app: TestApp;
let token: string;
let userId: string;
let scope: ContactScope;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  const { token: newToken, user } = await app.signUp();
  [token, userId] = [newToken, user._id];
  scope = ownScope(user);
});

const db = () => app.database.db;

/** Stores a conversation of these customer texts, each answered. @returns its id */
async function aTalk(owner: string, texts: readonly string[], changes = {}): Promise<string> {
  const conversation = aConversation(owner, changes);
  await db().insert(conversations).values(conversation);
  for (const content of texts)
    await db()
      .insert(messages)
      .values([
        aMessage(conversation.id, { content }),
        aMessage(conversation.id, { role: 'assistant', content: 'That is urgent, I see.' }),
      ]);
  return conversation.id;
}
const labelOf = async (id: string) => {
  const [row] = await db().select().from(conversations).where(eq(conversations.id, id));
  return row?.sentiment;
};
const messageLabels = async (id: string) => {
  const rows = await db()
    .select()
    .from(messages)
    .where(eq(messages.conversationId, id))
    .orderBy(asc(messages.id));
  return rows.map(({ sentiment }) => sentiment);
};
const reanalyze = (as = token) => app.as(as, 'POST', '/api/conversations/reanalyze-sentiment', {});

/** A separate service over the same database, with an engine that the test controls. */
function aService(changes: Partial<SentimentEngine> = {}) {
  const failures: unknown[] = [];
  const service = new SentimentService({
    sharedState: new MemoryState(),
    engine: { ...createFakeSentiment(), ...changes },
    repository: new SentimentRepository(db()),
    onFailure: (error) => failures.push(error),
  });
  return { service, failures };
}

describe('POST /api/conversations/reanalyze-sentiment', () => {
  it('labels all conversations and what customers said in them, and counts those that changed', async () => {
    const urgent = await aTalk(userId, ['hello', 'this is urgent']);
    const same = await aTalk(userId, ['hello'], { sentiment: 'neutral' });
    const wrong = await aTalk(userId, ['so positive'], { sentiment: 'negative' });
    const empty = await aTalk(userId, [], { sentiment: 'urgent' });
    const response = await reanalyze();
    expect([response.statusCode, response.json()]).toEqual([200, { updatedConversations: 3 }]);
    expect(await Promise.all([urgent, same, wrong, empty].map(labelOf))).toEqual([
      'urgent',
      'neutral',
      'positive',
      'neutral',
    ]);
    expect(await messageLabels(urgent)).toEqual(['neutral', null, 'urgent', null]);
    expect((await reanalyze()).json()).toEqual({ updatedConversations: 0 });
  });

  it('goes through every page of conversations and of messages', async () => {
    const rows = Array.from({ length: 230 }, () => aConversation(userId));
    await db().insert(conversations).values(rows);
    await db()
      .insert(messages)
      .values(rows.flatMap(({ id }) => [1, 2, 3].map(() => aMessage(id, { content: 'negative' }))));
    expect((await reanalyze()).json()).toEqual({ updatedConversations: 230 });
    const talk = await aTalk(userId, []);
    await db()
      .insert(messages)
      .values(
        Array.from({ length: 600 }, (_, n) => aMessage(talk, { content: n === 599 ? 'urgent' : 'hello' })),
      );
    expect((await reanalyze()).json()).toEqual({ updatedConversations: 1 });
    expect(await labelOf(talk)).toBe('urgent');
  });

  it('touches nothing of anybody else', async () => {
    const { user: stranger } = await app.signUp();
    const theirs = await aTalk(stranger._id, ['urgent']);
    expect((await reanalyze()).json()).toEqual({ updatedConversations: 0 });
    expect([await labelOf(theirs), await messageLabels(theirs)]).toEqual(['neutral', [null, null]]);
  });

  it('needs a token, and takes no body that is none', async () => {
    expect((await reanalyze('nonsense')).statusCode).toBe(401);
    const wrong = await app.as(token, 'POST', '/api/conversations/reanalyze-sentiment', [1]);
    expect(wrong.statusCode).toBe(400);
  });
});

describe('a run', () => {
  it('is joined by a second request', async () => {
    await aTalk(userId, ['urgent']);
    const { service } = aService();
    expect(await Promise.all([service.reanalyze(scope), service.reanalyze(scope)])).toEqual([1, 1]);
  });

  it('ends when nobody waits for it any more, and may be asked for again', async () => {
    const id = await aTalk(userId, ['urgent']);
    const slow = aService({
      analyse: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
    });
    const gone = new AbortController();
    const [one, other] = [
      slow.service.reanalyze(scope, gone.signal),
      slow.service.reanalyze(scope, gone.signal),
    ];
    gone.abort(new Error('away'));
    await expect(one).rejects.toThrow('away');
    await expect(other).rejects.toThrow('away');
    expect(await labelOf(id)).toBe('neutral');
    expect(await aService().service.reanalyze(scope)).toBe(1);
  });

  it('ends with the server, which then starts no other', async () => {
    await aTalk(userId, ['urgent']);
    const { service } = aService({
      analyse: (texts) => delay(20).then(() => createFakeSentiment().analyse(texts)),
    });
    const refused = expect(service.reanalyze(scope)).rejects.toMatchObject({ code: 'unavailable' });
    await service.close();
    await refused;
    await expect(service.reanalyze(scope)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('a message that arrives', () => {
  it('is labelled, its conversation too, and whoever listens hears of a change', async () => {
    const { service } = aService();
    const heard: unknown[] = [];
    service.onChange((change) => heard.push(change));
    const id = await aTalk(userId, ['this is urgent']);
    await service.label(scope, id);
    expect([await labelOf(id), await messageLabels(id)]).toEqual(['urgent', ['urgent', null]]);
    await service.label(scope, id);
    expect(heard).toEqual([{ conversationId: id, sentiment: 'urgent' }]);
  });

  it('is labelled by nobody but its owner', async () => {
    const { service } = aService();
    const id = await aTalk(userId, ['urgent']);
    const stranger = aUser();
    await db().insert(users).values(stranger);
    await service.settle(aScope(stranger.id, stranger.workspaceId), id);
    expect([await labelOf(id), await messageLabels(id)]).toEqual(['neutral', [null, null]]);
  });

  it('stays without a label when the engine fails, and gets it with the next one', async () => {
    const id = await aTalk(userId, ['urgent']);
    const broken = aService({ analyse: () => Promise.reject(new Error('broken')) });
    await broken.service.settle(scope, id);
    expect(broken.failures).toHaveLength(1);
    expect(await messageLabels(id)).toEqual([null, null]);
    await aService().service.settle(scope, id);
    expect(await messageLabels(id)).toEqual(['urgent', null]);
  });

  it('holds up the end of a call for a moment only', async () => {
    const id = await aTalk(userId, ['urgent']);
    const { service } = aService({ analyse: () => new Promise(() => {}) });
    await service.settle(scope, id);
    expect(await labelOf(id)).toBe('neutral');
  });
});

it('a call that ends answers the label of its last message', async () => {
  const id = await aTalk(userId, ['hello', 'this is urgent']);
  const ended = await app.as(token, 'PUT', `/api/conversations/${id}/end`);
  expect(ended.json()).toMatchObject({ metadata: { sentiment: 'urgent' } });
  const shown = await app.as(token, 'GET', `/api/conversations/${id}`);
  expect(shown.json().messages.map(({ sentiment }: { sentiment?: string }) => sentiment)).toEqual([
    'neutral',
    undefined,
    'urgent',
    undefined,
  ]);
});

it('a call hears of the label of what was just said, while it goes on', async () => {
  const socket = io(await app.listen(), { auth: { token }, transports: ['websocket'], reconnection: false });
  try {
    const labelled = new Promise((resolve) => {
      socket.on('conversation_updated', (event: { sentiment?: string }) => {
        if (event.sentiment) resolve(event);
      });
    });
    const start = await socket.emitWithAck('start_conversation', { userId, isCallSimulator: true });
    const { conversationId } = start;
    await socket.emitWithAck('user_message', {
      conversationId,
      message: 'This is urgent!',
      isCallSimulator: true,
    });
    expect(await labelled).toEqual({ conversationId, sentiment: 'urgent' });
    expect(await labelOf(conversationId)).toBe('urgent');
  } finally {
    socket.disconnect();
  }
});
