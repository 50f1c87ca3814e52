import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agents, conversations, messages } from '#server/database/schema';
import { type Conversation, conversationSchema, type ListedConversation } from '#shared/conversations';
import { aConversation, aMessage, anAgent } from '../../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../../tests/support/test-app.ts';

let app: TestApp;
let token: string;
let userId: string;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  const { token: newToken, user } = await app.signUp();
  [token, userId] = [newToken, user._id];
});

const minute = (n: number) => new Date(Date.UTC(2026, 0, 1, 12, n));

/** A conversation of five minutes: welcome, question, answer. */
async function talk(of = userId, changes: Partial<ReturnType<typeof aConversation>> = {}) {
  const conversation = aConversation(of, {
    createdAt: minute(0),
    firstMessageAt: minute(0),
    lastMessageAt: minute(5),
    messageCount: 3,
    ...changes,
  });
  await app.database.db.insert(conversations).values(conversation);
  const lines = [
    aMessage(conversation.id, { role: 'assistant', content: 'Hello!', createdAt: minute(0) }),
    aMessage(conversation.id, { role: 'system', content: 'You are Sigma.', createdAt: minute(1) }),
    aMessage(conversation.id, { role: 'user', content: 'When are you open?', createdAt: minute(4) }),
    aMessage(conversation.id, {
      role: 'assistant',
      content: 'From nine.',
      createdAt: minute(5),
      citations: [{ text: 'From nine.', source: 'Opening hours' }],
    }),
  ];
  await app.database.db.insert(messages).values(lines);
  return conversation;
}

/** A conversation in which only the agent has spoken. */
async function greeted(of = userId, changes: Partial<ReturnType<typeof aConversation>> = {}) {
  const at = minute(0);
  const conversation = aConversation(of, {
    createdAt: at,
    firstMessageAt: at,
    lastMessageAt: at,
    messageCount: 1,
    ...changes,
  });
  await app.database.db.insert(conversations).values(conversation);
  await app.database.db
    .insert(messages)
    .values(aMessage(conversation.id, { role: 'assistant', content: 'Hello!', createdAt: at }));
  return conversation;
}

const statsOf = async () => (await app.as(token, 'GET', `/api/conversations/stats/user/${userId}`)).json();
const list = (query = '') => app.as(token, 'GET', `/api/conversations${query}`);
const missing = '018f0000-0000-7000-8000-000000000000';

describe('GET /api/conversations/:id', () => {
  it('answers the conversation as the contract says, without system messages', async () => {
    const { id } = await talk(userId, { title: 'Opening Hours On Sunday' });
    const response = await app.as(token, 'GET', `/api/conversations/${id}`);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      _id: id,
      title: 'Opening Hours On Sunday',
      agentName: 'Sigma',
      ...{ channel: 'simulator', state: 'open' },
      metadata: {
        sentiment: 'neutral',
        duration: 300,
        created: '2026-01-01T12:00:00.000Z',
        updated: '2026-01-01T12:05:00.000Z',
      },
      messages: [
        { role: 'assistant', content: 'Hello!', timestamp: '2026-01-01T12:00:00.000Z' },
        { role: 'user', content: 'When are you open?', timestamp: '2026-01-01T12:04:00.000Z' },
        {
          role: 'assistant',
          content: 'From nine.',
          timestamp: '2026-01-01T12:05:00.000Z',
          citations: [{ text: 'From nine.', source: 'Opening hours' }],
        },
      ].map((message) => ({
        _id: expect.any(String),
        author: { kind: message.role === 'user' ? 'contact' : 'agent' },
        ...message,
      })),
    });
  });
});

describe('an id that is not theirs', () => {
  it.each([
    ['GET', ''],
    ['DELETE', ''],
    ['PUT', '/end'],
  ] as const)('answers %s %s alike, whether it is foreign, missing or malformed', async (method, tail) => {
    const { user: stranger } = await app.signUp();
    const foreign = await talk(stranger._id);
    const ids = [foreign.id, missing, 'x', "1'--", '%00', 'ü', `${missing}0`, missing.replaceAll('-', '')];
    for (const id of ids) {
      const response = await app.as(token, method, `/api/conversations/${encodeURIComponent(id)}${tail}`);
      expect([response.statusCode, response.json()], id).toMatchObject([
        404,
        {
          message: 'This conversation does not exist.',
          error: 'This conversation does not exist.',
          code: 'not-found',
        },
      ]);
    }
    const rows = await app.database.db.select().from(conversations);
    expect(rows.find(({ id }) => id === foreign.id)).toMatchObject({ endedAt: null });
  });

  it('is asked for with a token, or answers 401', async () => {
    const { id } = await talk();
    for (const [method, url] of [
      ['GET', '/api/conversations'],
      ['GET', `/api/conversations/${id}`],
      ['DELETE', `/api/conversations/${id}`],
      ['PUT', `/api/conversations/${id}/end`],
      ['GET', `/api/conversations/stats/user/${userId}`],
    ] as const)
      expect((await app.server.inject({ method, url })).statusCode, url).toBe(401);
  });
});

describe('GET /api/conversations', () => {
  it('answers nobody else’s, newest first, with messages', async () => {
    const { user: stranger } = await app.signUp();
    await talk(stranger._id);
    const older = await talk();
    const newer = await talk();
    const listed: Conversation[] = (await list()).json();
    expect(listed.map(({ _id }) => _id)).toEqual([newer.id, older.id]);
    expect(listed.map((conversation) => conversationSchema.parse(conversation).messages.length)).toEqual([
      3, 3,
    ]);
    expect(listed.flatMap(({ messages }) => messages).some(({ role }) => role === 'system')).toBe(false);
  });

  it('answers an empty list to somebody new', async () => {
    const response = await list();
    expect([response.statusCode, response.json()]).toEqual([200, []]);
    expect(response.headers).not.toHaveProperty('x-next-cursor');
  });

  it('leaves messages out of a summary', async () => {
    await talk();
    const [summary]: ListedConversation[] = (await list('?view=summary')).json();
    expect(summary).toHaveProperty('metadata.duration', 300);
    expect(summary).not.toHaveProperty('messages');
  });

  it('pages through everything once', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift((await talk()).id);
    const seen: string[] = [];
    let cursor: unknown;
    let pages = 0;
    do {
      const page = await list(`?limit=2${cursor ? `&cursor=${cursor}` : ''}`);
      seen.push(...page.json<Conversation[]>().map(({ _id }) => _id));
      cursor = page.headers['x-next-cursor'];
      pages++;
    } while (cursor);
    expect([seen, pages]).toEqual([ids, 3]);
  });

  it('has no next page when the last one is full', async () => {
    await talk();
    await talk();
    expect((await list('?limit=2')).headers).not.toHaveProperty('x-next-cursor');
  });

  it('answers 50 at once unless asked otherwise', async () => {
    const many = Array.from({ length: 51 }, () => aConversation(userId));
    await app.database.db.insert(conversations).values(many);
    expect((await list()).json()).toHaveLength(50);
    expect((await list('?limit=100')).json()).toHaveLength(51);
  });

  it('answers fewer at once where they hold very many messages, and the others on the next page', async () => {
    const [oldest, long, newest] = [
      aConversation(userId, { messageCount: 400 }),
      aConversation(userId, { messageCount: 2_000 }),
      aConversation(userId, { messageCount: 700 }),
    ];
    await app.database.db.insert(conversations).values([oldest, long, newest]);
    const said = Array.from({ length: 600 }, (_, n) => aMessage(long.id, { content: `Message ${n}` }));
    await app.database.db.insert(messages).values(said);
    const pages: Conversation[][] = [];
    let cursor: unknown;
    do {
      const page = await list(cursor ? `?cursor=${cursor}` : '');
      pages.push(page.json());
      cursor = page.headers['x-next-cursor'];
    } while (cursor);
    expect(pages.map((page) => page.map(({ _id }) => _id))).toEqual([[newest.id], [long.id], [oldest.id]]);
    expect(pages[1]?.[0]?.messages.map(({ content }) => content)).toEqual(said.map(({ content }) => content));
    expect((await list('?view=summary')).json()).toHaveLength(3);
  });

  it('filters by agent, also by one that has been deleted', async () => {
    const agent = anAgent(userId);
    await app.database.db.insert(agents).values(agent);
    await talk();
    const { id } = await talk(userId, { agentId: agent.id, agentName: 'Mia' });
    await app.database.db.delete(agents);
    const [only, ...others]: Conversation[] = (await list(`?agentId=${agent.id}`)).json();
    expect([only?._id, only?.agentId, only?.agentName, others]).toEqual([id, agent.id, 'Mia', []]);
  });

  it.each([missing, 'x', '', "' or true --", '%00'])('finds nothing for the agent %j', async (agentId) => {
    await talk();
    const response = await list(`?agentId=${encodeURIComponent(agentId)}`);
    expect([response.statusCode, response.json()]).toEqual([200, []]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=x', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['view=everything', 'view'],
    ['cursor=x', 'cursor'],
    ['cursor=', 'cursor'],
  ])('refuses %s and says which field', async (query, field) => {
    const response = await list(`?${query}`);
    expect([response.statusCode, response.json().code]).toEqual([400, 'invalid-input']);
    expect(Object.keys(response.json().fields)).toEqual([field]);
    expect(response.json().fields[field]).toMatch(/^Use /);
  });
});

describe('DELETE /api/conversations/:id', () => {
  it('removes it and all that was said', async () => {
    const { id } = await talk();
    const response = await app.as(token, 'DELETE', `/api/conversations/${id}`);
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { message: 'The conversation was deleted.' },
    ]);
    expect((await list()).json()).toEqual([]);
    const left = await app.database.db.select().from(messages);
    expect(left.filter(({ conversationId }) => conversationId === id)).toEqual([]);
    expect((await app.as(token, 'DELETE', `/api/conversations/${id}`)).statusCode).toBe(404);
  });
});

describe('PUT /api/conversations/:id/end', () => {
  it('answers the final conversation, and the same the second time', async () => {
    const { id } = await talk();
    const first = await app.as(token, 'PUT', `/api/conversations/${id}/end`);
    expect(first.statusCode).toBe(200);
    expect(first.json()).toMatchObject({
      _id: id,
      title: 'Demo call',
      metadata: { duration: 300, sentiment: 'neutral' },
    });
    expect(first.json().metadata.ended).toBe(first.json().metadata.updated);
    const second = await app.as(token, 'PUT', `/api/conversations/${id}/end`);
    expect(second.json()).toEqual(first.json());
    expect((await app.as(token, 'GET', `/api/conversations/${id}`)).json()).toEqual(first.json());
  });

  it('needs no body and reads none', async () => {
    const { id } = await talk();
    const response = await app.as(token, 'PUT', `/api/conversations/${id}/end`, {
      title: 'Mine',
      endedAt: null,
    });
    expect(response.json().title).toBe('Demo call');
  });

  it('keeps none in which the customer said nothing, and answers the same the second time', async () => {
    const { id } = await greeted();
    await talk();
    expect((await list()).json()).toHaveLength(2);
    const before = await statsOf();
    expect(before.totalCalls).toBe(2);
    const first = await app.as(token, 'PUT', `/api/conversations/${id}/end`);
    expect(first.statusCode).toBe(200);
    expect(first.json()).toMatchObject({ _id: id, messages: [{ content: 'Hello!' }] });
    expect(first.json().metadata.ended).toBeDefined();
    const second = await app.as(token, 'PUT', `/api/conversations/${id}/end`);
    expect(second.json()).toEqual(first.json());
    expect((await app.as(token, 'GET', `/api/conversations/${id}`)).statusCode).toBe(404);
    expect((await list()).json()).toHaveLength(1);
    expect(await statsOf()).toMatchObject({ totalCalls: 1, averageDuration: 300, totalMessages: 3 });
  });

  it('answers it to nobody else', async () => {
    const { id } = await greeted();
    await app.as(token, 'PUT', `/api/conversations/${id}/end`);
    const other = await app.signUp();
    const foreign = await app.as(other.token, 'PUT', `/api/conversations/${id}/end`);
    expect(foreign.statusCode).toBe(404);
  });
});
