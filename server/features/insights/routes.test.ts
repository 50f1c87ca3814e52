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
const stats = (of = userId, query = '') =>
  app.as(token, 'GET', `/api/conversations/stats/user/${of}${query}`);
const nothing = { answered: 0, offered: 0, 'asked-back': 0, declined: 0, handover: 0, social: 0 };
const nobody = { positive: 0, neutral: 0, negative: 0, urgent: 0 };

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
      sentimentBreakdown: nobody,
      outcomeBreakdown: nothing,
      daily: expect.any(Array),
      urgentConversations: [],
      needsColleague: [],
    },
  ]);
  const { daily } = response.json();
  expect(daily).toHaveLength(30);
  expect(daily[29]).toEqual({
    date: new Date().toISOString().slice(0, 10),
    calls: 0,
    sentiment: nobody,
    outcome: nothing,
  });
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
  expect((await stats()).json()).toMatchObject({
    totalCalls: 3,
    averageDuration: 30,
    lastActivity: '2026-01-01T12:00:59.500Z',
    totalMessages: 8,
    companiesInteractedWith: ['Contoso Bikes', 'Northwind'],
    sentimentBreakdown: { positive: 1, neutral: 1, negative: 0, urgent: 1 },
  });
});

it('counts calls on the days of the time zone it is asked for', async () => {
  const now = Date.now();
  const mine = [
    aConversation(userId, { createdAt: new Date(now), sentiment: 'positive' }),
    aConversation(userId, { createdAt: new Date(now - 3 * 86_400_000), sentiment: 'urgent' }),
    aConversation(userId, { createdAt: new Date(now - 3 * 86_400_000), outcome: 'declined' }),
    aConversation(userId, { createdAt: new Date(now - 40 * 86_400_000), sentiment: 'negative' }),
  ];
  await app.database.db.insert(conversations).values(mine);
  for (const [zone, days] of [
    ['Pacific/Kiritimati', 7],
    ['Pacific/Pago_Pago', 30],
    ['Asia/Kathmandu', 90],
  ] as const) {
    const dayIn = (at: Date) =>
      new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(at);
    const { daily } = (await stats(userId, `?tz=${zone}&days=${days}`)).json();
    expect(daily).toHaveLength(days);
    expect(daily.at(-1).date).toBe(dayIn(new Date(now)));
    const counted = daily.filter((day: { calls: number }) => day.calls > 0);
    expect(counted).toEqual([
      ...(days === 90
        ? [
            {
              date: dayIn(new Date(now - 40 * 86_400_000)),
              calls: 1,
              sentiment: { ...nobody, negative: 1 },
              outcome: nothing,
            },
          ]
        : []),
      {
        date: dayIn(new Date(now - 3 * 86_400_000)),
        calls: 2,
        sentiment: { ...nobody, neutral: 1, urgent: 1 },
        outcome: { ...nothing, declined: 1 },
      },
      { date: dayIn(new Date(now)), calls: 1, sentiment: { ...nobody, positive: 1 }, outcome: nothing },
    ]);
  }
});

it('names the newest urgent conversations', async () => {
  const rows = Array.from({ length: 7 }, (_, index) =>
    aConversation(userId, { sentiment: 'urgent', title: `Fire ${index}`, lastMessageAt: second(index) }),
  );
  await app.database.db.insert(conversations).values([...rows, aConversation(userId)]);
  const { urgentConversations } = (await stats()).json();
  expect(urgentConversations).toEqual(
    [6, 5, 4, 3, 2].map((index) => ({
      _id: rows[index]?.id,
      title: `Fire ${index}`,
      when: second(index).toISOString(),
    })),
  );
});

it('counts what conversations came to, and names the newest that wait for a colleague', async () => {
  const contact = { name: 'Ada', phone: '0171 555' };
  const rows = Array.from({ length: 7 }, (_, index) =>
    aConversation(userId, {
      outcome: 'handover',
      title: `Call back ${index}`,
      lastMessageAt: second(index),
      ...(index === 5 ? { contact } : {}),
    }),
  );
  const others = (['answered', 'answered', 'offered', 'social', null] as const).map((outcome) =>
    aConversation(userId, { outcome }),
  );
  await app.database.db.insert(conversations).values([...rows, ...others]);
  const { outcomeBreakdown, needsColleague } = (await stats()).json();
  expect(outcomeBreakdown).toEqual({ ...nothing, answered: 2, offered: 1, social: 1, handover: 7 });
  expect(needsColleague).toEqual(
    [6, 5, 4, 3, 2].map((index) => ({
      _id: rows[index]?.id,
      title: `Call back ${index}`,
      when: second(index).toISOString(),
      ...(index === 5 ? { contact } : {}),
    })),
  );
});

it.each([
  ['?tz=Mars/Olympus', 'tz'],
  ['?tz=%2B02:00', 'tz'],
  ['?tz=', 'tz'],
  [`?tz=${'A'.repeat(500)}`, 'tz'],
  ["?tz=';drop table users", 'tz'],
  ['?days=8', 'days'],
  ['?days=', 'days'],
  ['?days=7&days=30', 'days'],
])('refuses %s', async (query, field) => {
  const response = await stats(userId, query);
  expect([response.statusCode, response.json().code]).toEqual([400, 'invalid-input']);
  expect(Object.keys(response.json().fields)).toEqual([field]);
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
