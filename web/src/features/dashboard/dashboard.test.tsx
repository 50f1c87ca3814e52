import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ada, fakeServer, never, openPage, refusal } from '#web/test-support';

const STATS = `GET /api/conversations/stats/user/${ada._id}`;
const signedIn = { 'GET /api/auth/me': { body: ada }, 'GET /api/conversations': { body: [] } };
const stats = {
  totalCalls: 1204,
  averageDuration: 135,
  lastActivity: new Date(Date.now() - 5 * 60_000).toISOString(),
  totalMessages: 17,
  companiesInteractedWith: ['Northwind', 'Contoso'],
  sentimentBreakdown: { positive: 3, neutral: 1, negative: 1, urgent: 0 },
};

// Charts draw nothing in a box without a size, and this DOM has no sizes.
beforeEach(() => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return this.matches('.recharts-responsive-container') ? new DOMRect(0, 0, 600, 176) : new DOMRect();
  });
});

const noLabels = { positive: 0, neutral: 0, negative: 0, urgent: 0 };
const days = [
  { date: '2026-11-02', calls: 0, sentiment: noLabels },
  { date: '2026-11-03', calls: 3, sentiment: { ...noLabels, positive: 2, urgent: 1 } },
  { date: '2026-11-04', calls: 1, sentiment: { ...noLabels, negative: 1 } },
];

/** The figure under a name. */
const figure = async (name: string) =>
  (await screen.findByText(name)).closest('div')?.querySelector('dd')?.textContent;

it('greets by name and leads to a new call and to the conversations', async () => {
  fakeServer({ ...signedIn, [STATS]: { body: stats } });
  openPage('/dashboard', 'token-1');
  expect(await screen.findByRole('heading', { name: 'Welcome back, Ada Lovelace!' })).toBeVisible();
  expect(screen.getByText('Monitor your automated customer service performance.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Start New Call' })).toHaveAttribute('href', '/call-simulator');
  expect(screen.getByRole('link', { name: /^View Conversations/ })).toHaveAttribute('href', '/conversations');
});

it('shows the figures of the user', async () => {
  const requests = fakeServer({ ...signedIn, [STATS]: { body: stats } });
  openPage('/dashboard', 'token-1');
  await screen.findByText('1,204');
  expect(await figure('Average Duration')).toBe('2m 15s');
  expect(await figure('Last Activity')).toBe('5 minutes ago');
  expect(await figure('Business Contexts')).toBe('2');
  expect(await figure('Messages')).toBe('17');
  expect(screen.getByText('80%')).toBeVisible();
  expect(
    screen.getByRole('img', {
      name: 'Conversations by sentiment: 3 positive, 1 neutral, 1 negative, 0 urgent.',
    }),
  ).toBeVisible();
  expect(requests.find((request) => request.path.includes('stats'))?.authorization).toBe('Bearer token-1');
});

it("shows '...' while they are loading", async () => {
  fakeServer({ ...signedIn, [STATS]: never });
  openPage('/dashboard', 'token-1');
  await screen.findByText('Total Calls');
  for (const name of ['Total Calls', 'Average Duration', 'Last Activity', 'Business Contexts', 'Messages'])
    expect(await figure(name)).toBe('...');
});

it('shows zeros when they cannot be loaded, and logs it only', async () => {
  const log = vi.spyOn(console, 'warn').mockReturnValue();
  fakeServer({ ...signedIn, [STATS]: refusal(403, 'You may not see this.', 'forbidden') });
  openPage('/dashboard', 'token-1');
  expect(await screen.findByText('0s')).toBeVisible();
  expect(await figure('Total Calls')).toBe('0');
  expect(await figure('Last Activity')).toBe('Never');
  expect(screen.getByText('0%')).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(log).toHaveBeenCalledWith('The statistics could not be loaded.', expect.anything());
});

it('reads "Never" when the last activity is no time', async () => {
  fakeServer({ ...signedIn, [STATS]: { body: { ...stats, lastActivity: 'soonish' } } });
  openPage('/dashboard', 'token-1');
  await screen.findByText('1,204');
  expect(await figure('Last Activity')).toBe('Never');
});

it('offers the demo agent to somebody who has not called yet', async () => {
  fakeServer({ ...signedIn, [STATS]: { body: { ...stats, totalCalls: 0 } } });
  openPage('/dashboard', 'token-1');
  const invitation = await screen.findByText('Your first call is one click away');
  const card = invitation.parentElement;
  if (!card) throw new Error('The invitation stands nowhere.');
  expect(within(card).getByRole('link', { name: 'Call Sigma' })).toHaveAttribute('href', '/call-simulator');
});

it('says the charts in a sentence and in a table', async () => {
  fakeServer({ ...signedIn, [STATS]: { body: { ...stats, daily: days } } });
  openPage('/dashboard', 'token-1');
  expect(await screen.findByText('4 calls in the last 3 days, most on Tue, Nov 3 (3).')).toBeVisible();
  expect(screen.getByText('2 positive, 1 negative, and 1 urgent.')).toBeVisible();
  const table = screen.getByRole('table', { name: 'Calls per day by sentiment' });
  expect(
    within(table)
      .getAllByRole('row')
      .map((row) => row.textContent),
  ).toEqual([
    'DayCallsPositiveNeutralNegativeUrgent',
    'Mon, Nov 200000',
    'Tue, Nov 332001',
    'Wed, Nov 410010',
  ]);
});

it('draws the charts with one bar per day and label', async () => {
  fakeServer({ ...signedIn, [STATS]: { body: { ...stats, daily: days } } });
  openPage('/dashboard', 'token-1');
  const bars = (name: string) =>
    [...screen.getByRole('region', { name }).querySelectorAll('.recharts-bar-rectangle path')].length;
  await expect.poll(() => bars('Calls per day')).toBe(2);
  expect(bars('Sentiment over time')).toBe(3);
});

it("asks for another period in the viewer's time zone and keeps the figures until it has come", async () => {
  let asked = '';
  const fetched = fakeServer({ ...signedIn, [STATS]: { body: { ...stats, daily: days } } });
  const answer = globalThis.fetch;
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    if (input.includes('/stats/')) asked = input;
    return answer(input, init);
  });
  openPage('/dashboard', 'token-1');
  await screen.findByText('1,204');
  const { searchParams } = new URL(asked, 'http://localhost');
  expect(searchParams.get('days')).toBe('30');
  expect(searchParams.get('tz')).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  await userEvent.click(screen.getByRole('radio', { name: '7 days' }));
  expect(screen.getByText('1,204')).toBeVisible();
  await expect.poll(() => asked).toContain('days=7');
  expect(screen.getByRole('radio', { name: '7 days' })).toBeChecked();
  expect(fetched.some(({ path }) => path.includes('/stats/'))).toBe(true);
});

it('counts in UTC where the server does not know the time zone', async () => {
  let refused = 0;
  fakeServer({
    ...signedIn,
    [STATS]: () => {
      refused += 1;
      return refused === 1
        ? refusal(400, 'Use a time zone by its IANA name.', 'invalid-input', { tz: 'Use a time zone.' })
        : { body: { ...stats, daily: days } };
    },
  });
  openPage('/dashboard', 'token-1');
  expect(await screen.findByText('1,204')).toBeVisible();
});

it('leads to the newest urgent conversations', async () => {
  const when = new Date(Date.now() - 2 * 60_000).toISOString();
  const urgentConversations = [
    { _id: 'fire-1', title: 'Card Stolen Yesterday', when },
    { _id: 'fire-2', title: 'Locked Out', when: 'once' },
  ];
  const sentimentBreakdown = { ...stats.sentimentBreakdown, urgent: 1_003 };
  fakeServer({ ...signedIn, [STATS]: { body: { ...stats, urgentConversations, sentimentBreakdown } } });
  openPage('/dashboard', 'token-1');
  expect(await screen.findByRole('link', { name: 'Card Stolen Yesterday' })).toHaveAttribute(
    'href',
    '/conversations/fire-1',
  );
  expect(screen.getByRole('link', { name: 'See all 1,003 urgent conversations' })).toHaveAttribute(
    'href',
    '/conversations?sentiment=urgent',
  );
  expect(screen.getByText('2 minutes ago')).toBeVisible();
  expect(screen.getByText('Never')).toBeVisible();
});

it('invites to a first call before showing what it would change', async () => {
  fakeServer({ ...signedIn, [STATS]: { body: { ...stats, totalCalls: 0, daily: [] } } });
  openPage('/dashboard', 'token-1');
  const promise = await screen.findByText('Your calls, day by day');
  const invitation = await screen.findByText('Your first call is one click away');
  expect(invitation.compareDocumentPosition(promise)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

it('says that nothing is urgent only when it knows', async () => {
  fakeServer({ ...signedIn, [STATS]: { body: { ...stats, urgentConversations: [] } } });
  openPage('/dashboard', 'token-1');
  expect(await screen.findByText('Nothing is urgent')).toBeVisible();
});

it('claims nothing about urgency when the figures could not be loaded', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  fakeServer({ ...signedIn, [STATS]: refusal(403, 'You may not see this.', 'forbidden') });
  openPage('/dashboard', 'token-1');
  expect(await screen.findByText(/Urgent conversations could not be loaded/)).toBeVisible();
  expect(screen.queryByText('Nothing is urgent')).toBeNull();
  expect(screen.queryByText('Your calls, day by day')).toBeNull();
});

it('says how many questions were answered, and leads to each kind', async () => {
  const outcomeBreakdown = { answered: 162, offered: 21, declined: 9, handover: 12, social: 30 };
  fakeServer({ ...signedIn, [STATS]: { body: { ...stats, outcomeBreakdown } } });
  openPage('/dashboard', 'token-1');
  expect(await screen.findByText('79%')).toBeVisible();
  expect(
    screen.getByRole('img', {
      name: 'Conversations by outcome: 162 answered, 21 perhaps answered, 9 not answered, 12 for a colleague.',
    }),
  ).toBeVisible();
  expect(screen.getByRole('link', { name: 'Needs a colleague 12' })).toHaveAttribute(
    'href',
    '/conversations?outcome=handover',
  );
  expect(screen.getByRole('link', { name: 'Not answered 9' })).toHaveAttribute(
    'href',
    '/conversations?outcome=declined',
  );
});

it("shows '...' for the answers too while they are loading", async () => {
  fakeServer({ ...signedIn, [STATS]: never });
  openPage('/dashboard', 'token-1');
  expect(await screen.findByRole('link', { name: 'Answered ...' })).toBeVisible();
});

it('names who waits for a colleague, newest first, and how to reach them', async () => {
  const when = new Date(Date.now() - 2 * 60_000).toISOString();
  const needsColleague = [
    { _id: 'wait-1', title: 'Lost Parcel', when, contact: { name: 'Maria', phone: '0170 1234567' } },
    { _id: 'wait-2', title: 'Wrong Invoice', when, contact: { email: 'tom@example.com', note: 'Soon.' } },
    { _id: 'wait-3', title: 'Broken Kettle', when },
  ];
  const outcomeBreakdown = { handover: 1_003 };
  fakeServer({ ...signedIn, [STATS]: { body: { ...stats, needsColleague, outcomeBreakdown } } });
  openPage('/dashboard', 'token-1');
  expect(await screen.findByRole('link', { name: 'Lost Parcel' })).toHaveAttribute(
    'href',
    '/conversations/wait-1',
  );
  expect(screen.getByRole('link', { name: '0170 1234567' })).toHaveAttribute('href', 'tel:01701234567');
  expect(screen.getByRole('link', { name: 'tom@example.com' })).toHaveAttribute(
    'href',
    'mailto:tom@example.com',
  );
  expect(screen.getByText('Left no contact details')).toBeVisible();
  expect(screen.getByRole('link', { name: 'See all 1,003 that need a colleague' })).toHaveAttribute(
    'href',
    '/conversations?outcome=handover',
  );
});

it('says that nobody is waiting only when it knows', async () => {
  fakeServer({ ...signedIn, [STATS]: { body: { ...stats, needsColleague: [] } } });
  openPage('/dashboard', 'token-1');
  expect(await screen.findByText('No one is waiting')).toBeVisible();
});

it('claims nothing about who waits when the server does not say', async () => {
  fakeServer({ ...signedIn, [STATS]: { body: stats } });
  openPage('/dashboard', 'token-1');
  expect(await screen.findByText(/Waiting customers could not be loaded/)).toBeVisible();
});

it('leads to the unanswered questions, with their number where it is known', async () => {
  const question = {
    _id: 'q',
    question: 'Why?',
    count: 1,
    lastAsked: new Date().toISOString(),
    agentId: null,
    agentName: 'Sigma',
    conversations: [],
  };
  let known = false;
  fakeServer({
    ...signedIn,
    [STATS]: { body: stats },
    'GET /api/insights/unanswered': () =>
      known ? { body: [question, { ...question, _id: 'q-2' }] } : refusal(429, 'Not now.', 'rate-limited'),
  });
  const { router } = openPage('/dashboard', 'token-1');
  const link = await screen.findByRole('link', { name: /^Unanswered questions/ });
  expect(link).toHaveAttribute('href', '/unanswered');
  expect(link).not.toHaveTextContent(/\d/);
  known = true;
  await router.navigate('/conversations');
  await screen.findByRole('heading', { name: 'Conversation History' });
  await router.navigate('/dashboard');
  expect(await screen.findByText('2 questions wait for your answer.')).toBeVisible();
});

describe('what language models took', () => {
  const thisMonth = new Date().toISOString().slice(0, 7);
  const row = { month: thisMonth, model: 'small', turns: 40, input: 60_000, output: 4_000, cost: 0.064 };
  const before = { ...row, month: '2020-01', turns: 1, input: 900, output: 100, cost: 0.0011 };
  const today = { tokens: 9_000, limit: 20_000, isSpent: false };
  const open = (usage: object) => {
    fakeServer({
      ...signedIn,
      [STATS]: { body: stats },
      'GET /api/insights/usage': {
        body: { scope: 'installation', months: [row, { ...row, model: 'large' }, before], today, ...usage },
      },
    });
    openPage('/dashboard', 'token-1');
  };
  const month = async (name: string) => (await screen.findByRole('region', { name })).textContent;

  it('is shown for this month and last, by model, with its cost', async () => {
    open({});
    expect(await month('This month')).toBe(
      'This month$0.13128,000 tokens · 80 turnssmall64,000 tokens · $0.06large64,000 tokens · $0.06',
    );
    expect(await month('Last month')).toBe(
      'Last month$0.00111,000 tokens · 1 turnsmall1,000 tokens · $0.0011',
    );
    expect(screen.getByText('All accounts')).toBeVisible();
    expect(screen.getByText('9,000 of 20,000 tokens used today')).toBeVisible();
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '45');
  });

  it('is shown without money where no price is known, and without a limit where there is none', async () => {
    open({ scope: 'account', months: [{ ...row, cost: null }], today: { ...today, limit: null } });
    expect(await month('This month')).toBe('This month64,000 tokens40 turnssmall64,000 tokens');
    expect(screen.getByText('Your account')).toBeVisible();
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it.each([
    [20_000, 'Today’s 20,000 tokens are used up. The embedded reader answers until midnight UTC.'],
    [null, 'Today’s tokens are used up. The embedded reader answers until midnight UTC.'],
  ])('says why no model answers any more (limit %j)', async (limit, sentence) => {
    open({ today: { tokens: 20_500, limit, isSpent: true } });
    expect(await screen.findByText(sentence)).toBeVisible();
  });

  it('is no matter where none was ever asked', async () => {
    open({ months: [], today: { tokens: 0, limit: null, isSpent: false } });
    await screen.findByText('1,204');
    expect(screen.queryByText('Language model')).toBeNull();
  });
});

it('explains the demo agent', async () => {
  fakeServer({ ...signedIn, [STATS]: { body: stats } });
  openPage('/dashboard', 'token-1');
  const box = await screen.findByRole('region', { name: 'Meet Sigma, the demo agent' });
  expect(box).toHaveTextContent('Sigma answers customers of a sample company');
  expect(within(box).getByRole('link')).toHaveAttribute('href', '/call-simulator');
});
