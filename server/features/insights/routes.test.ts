import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { conversations } from '#server/database/schema';
import { aConversation } from '../../../tests/factories.ts';
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

const second = (n: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, n));
const stats = (of = userId) => app.as(token, 'GET', `/api/conversations/stats/user/${of}`);

it('answers zeros to somebody new', async () => {
  const response = await stats();
  expect([response.statusCode, response.json()]).toEqual([
    200,
    {
      totalCalls: 0,
      averageDuration: 0,
      lastActivity: null,
      totalMessages: 0,
      companiesInteractedWith: [],
      sentimentBreakdown: { positive: 0, neutral: 0, negative: 0, urgent: 0 },
    },
  ]);
});

it('adds up their own conversations', async () => {
  const { user: stranger } = await app.signUp();
  await app.database.db.insert(conversations).values([
    aConversation(userId, {
      companyName: 'Northwind',
      firstMessageAt: second(0),
      lastMessageAt: second(30),
      messageCount: 3,
    }),
    aConversation(userId, {
      companyName: 'Contoso Bikes',
      firstMessageAt: second(0),
      lastMessageAt: new Date(second(59).getTime() + 500),
      messageCount: 5,
      sentiment: 'urgent',
    }),
    aConversation(userId, { companyName: 'Northwind', createdAt: second(1), sentiment: 'positive' }),
    aConversation(stranger._id, { companyName: 'Secret Ltd', messageCount: 99, sentiment: 'negative' }),
  ]);
  expect((await stats()).json()).toEqual({
    totalCalls: 3,
    averageDuration: 30,
    lastActivity: '2026-01-01T12:00:59.500Z',
    totalMessages: 8,
    companiesInteractedWith: ['Northwind', 'Contoso Bikes'],
    sentimentBreakdown: { positive: 1, neutral: 1, negative: 0, urgent: 1 },
  });
});

it.each(['018f0000-0000-7000-8000-000000000000', 'x', "' or true --"])(
  'refuses the statistics of %j, whether that user exists or not',
  async (other) => {
    const { user: stranger } = await app.signUp();
    const [response, foreign] = await Promise.all([stats(encodeURIComponent(other)), stats(stranger._id)]);
    expect([response.statusCode, response.json().code]).toEqual([403, 'forbidden']);
    expect(foreign.json()).toEqual(response.json());
  },
);
