import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { conversations, messages } from '#server/database/schema';
import type { ContactScope } from '#server/lib/scope';
import type { ListedConversation, Outcome, Sentiment } from '#shared/conversations';
import { aConversation, aMessage, ownScope } from '../../../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { ConversationsRepository } from '../repository.ts';
import { ConversationsService } from '../service.ts';

let app: TestApp;
let token: string;
let userId: string;
let scope: ContactScope;
let service: ConversationsService;
beforeAll(async () => {
  app = await openTestApp();
  service = new ConversationsService(new ConversationsRepository(app.database.db));
});
afterAll(() => app.close());
beforeEach(async () => {
  const { token: newToken, user } = await app.signUp();
  [token, userId] = [newToken, user._id];
  scope = ownScope(user);
});

/** A conversation with these messages. */
async function said(
  texts: string[],
  changes: {
    title?: string;
    at?: string;
    sentiment?: Sentiment;
    outcome?: Outcome;
    agentId?: string;
    of?: string;
  } = {},
): Promise<string> {
  const { at, of = userId, ...rest } = changes;
  const createdAt = at ? new Date(at) : new Date();
  const id = at ? uuidv7({ msecs: createdAt.getTime() }) : uuidv7();
  // In one transaction, so that background indexing does not find the conversation without its messages.
  await app.database.db.transaction(async (tx) => {
    await tx.insert(conversations).values(aConversation(of, { id, createdAt, ...rest }));
    if (texts.length > 0) await tx.insert(messages).values(texts.map((content) => aMessage(id, { content })));
  });
  return id;
}

const get = (query: Record<string, string>) =>
  app.as(token, 'GET', `/api/conversations?${new URLSearchParams({ view: 'summary', ...query })}`);
const found = async (query: Record<string, string>) =>
  (await get(query)).json<ListedConversation[]>().map(({ _id }) => _id);

describe('a search', () => {
  it('finds words in messages and titles, newest first', async () => {
    const older = await said(['My kettle is broken']);
    const newer = await said(['Good morning'], { title: 'Question About Kettle' });
    await said(['My toaster is broken']);
    expect(await found({ q: 'kettle' })).toEqual([newer, older]);
  });

  it('wants every word, wherever it was said, the last one only begun', async () => {
    const both = await said(['The kettle leaks', 'It is from Zürich']);
    await said(['The kettle leaks']);
    await said(['I am from Zürich']);
    expect(await found({ q: 'zurich ket' })).toEqual([both]);
    expect(await found({ q: 'ket zurich' })).toEqual([]);
  });

  it.each([
    ['заказ', 'Где мой ЗАКАЗ?'],
    ['طلب', 'أين طلبي'.replace('ي', '')],
    ['注文', '私の注文はどこですか'],
    ['ΠΑΡΑΓΓΕΛΊΑ', 'Πού είναι η παραγγελία μου;'],
    ['bw-4711', 'It is order BW-4711.'],
    ['"late parcel"', 'A late parcel again'],
    ["don't", 'I dont know'],
    ['🙂', 'thanks 🙂'],
  ])('finds %j in %j', async (q, text) => {
    const id = await said([text]);
    expect(await found({ q })).toEqual([id]);
  });

  it.each(["' or 1=1 --", "kettle'", ':*', '& |', '\\', '%', '(((', "it''s", '<->', '!kettle', 'a:b', '@'])(
    'takes %j as harmless',
    async (q) => {
      await said(['nothing of that']);
      const response = await get({ q });
      expect([response.statusCode, response.json()]).toEqual([200, []]);
    },
  );

  it('is none when it is blank', async () => {
    const id = await said(['anything']);
    expect(await found({ q: '  ' })).toEqual([id]);
  });

  it("never finds somebody else's", async () => {
    const { user: stranger } = await app.signUp();
    await said(['My secret kettle'], { of: stranger._id });
    expect(await found({ q: 'kettle' })).toEqual([]);
    expect(await found({ q: `@${stranger._id}` })).toEqual([]);
  });

  it('knows what was said and titled a moment ago, and forgets what was never heard', async () => {
    const { conversation } = await service.create(
      scope,
      { id: null, name: 'Sigma', companyName: 'Northwind' },
      'Welcome on board',
    );
    expect(await found({ q: 'welcome' })).toEqual([conversation.id]);
    const { id } = await service.addUserMessage(scope, conversation.id, 'Where is my kettle?', undefined);
    expect(await found({ q: 'kettle' })).toEqual([conversation.id]);
    const reply = await service.addReply(scope, conversation.id, id, {
      responseId: uuidv7(),
      content: 'It left today. It arrives tomorrow.',
      citations: [],
      interrupted: false,
    });
    expect(await found({ q: 'tomorrow' })).toEqual([conversation.id]);
    await service.cutReply(scope, reply, 'It left today.');
    expect(await found({ q: 'tomorrow' })).toEqual([]);
    await service.giveTitle(scope, conversation, 'Missing Appliance');
    expect(await found({ q: 'appliance' })).toEqual([conversation.id]);
    expect(await found({ q: 'demo call' })).toEqual([]);
  });

  it('leaves out what only the agent was told', async () => {
    const id = await said([]);
    await app.database.db.insert(messages).values(aMessage(id, { role: 'system', content: 'You are Sigma' }));
    expect(await found({ q: 'sigma' })).toEqual([]);
  });

  it('finds nothing of a deleted conversation', async () => {
    const id = await said(['My kettle is broken']);
    expect(await found({ q: 'kettle' })).toEqual([id]);
    await app.as(token, 'DELETE', `/api/conversations/${id}`);
    expect(await found({ q: 'kettle' })).toEqual([]);
  });

  it('finds rare words among many conversations, and pages through common ones once', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 60; n++)
      ids.unshift(await said([n === 3 ? 'a rare kettle' : n % 2 ? 'a common lamp' : 'nothing']));
    expect(await found({ q: 'kettle', limit: '2' })).toEqual([ids[56]]);
    const lamps = ids.filter((_id, place) => (59 - place) % 2 === 1 && place !== 56);
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const page = await get({ q: 'lamp', limit: '10', ...(cursor ? { cursor: String(cursor) } : {}) });
      seen.push(...page.json<ListedConversation[]>().map(({ _id }) => _id));
      cursor = page.headers['x-next-cursor'];
    } while (cursor);
    expect(seen).toEqual(lamps);
  });
});

describe('filters', () => {
  it('keep conversations of one or more sentiments', async () => {
    const urgent = await said(['lamp'], { sentiment: 'urgent' });
    const negative = await said(['lamp'], { sentiment: 'negative' });
    await said(['lamp'], { sentiment: 'positive' });
    expect(await found({ sentiment: 'urgent' })).toEqual([urgent]);
    expect(await found({ sentiment: 'urgent,negative' })).toEqual([negative, urgent]);
    const repeated = await app.as(
      token,
      'GET',
      '/api/conversations?sentiment=urgent&sentiment=negative&q=lamp',
    );
    expect(repeated.json<ListedConversation[]>().map(({ _id }) => _id)).toEqual([negative, urgent]);
  });

  it('keep conversations of one or more outcomes, with or without a sentiment', async () => {
    const handover = await said(['lamp'], { outcome: 'handover', sentiment: 'urgent' });
    const declined = await said(['lamp'], { outcome: 'declined' });
    const offered = await said(['lamp'], { outcome: 'offered', sentiment: 'urgent' });
    await said(['lamp'], { outcome: 'answered', sentiment: 'urgent' });
    await said(['lamp']);
    expect(await found({ outcome: 'handover' })).toEqual([handover]);
    expect(await found({ outcome: 'handover,declined,offered' })).toEqual([offered, declined, handover]);
    expect(await found({ outcome: 'handover,declined,offered', sentiment: 'urgent' })).toEqual([
      offered,
      handover,
    ]);
    expect(await found({ outcome: 'handover,declined', sentiment: 'urgent,neutral', q: 'lamp' })).toEqual([
      declined,
      handover,
    ]);
    expect(await found({ outcome: 'asked-back' })).toEqual([]);
    const repeated = await app.as(token, 'GET', '/api/conversations?outcome=declined&outcome=offered');
    expect(repeated.json<ListedConversation[]>()).toMatchObject([
      { _id: offered, outcome: 'offered' },
      { _id: declined, outcome: 'declined' },
    ]);
  });

  it('keep a period: moments exactly, days whole', async () => {
    const before = await said([], { at: '2026-03-01T23:59:59.999Z' });
    const first = await said([], { at: '2026-03-02T00:00:00.000Z' });
    const last = await said([], { at: '2026-03-03T23:59:59.999Z' });
    const after = await said([], { at: '2026-03-04T00:00:00.000Z' });
    expect(await found({ from: '2026-03-02', to: '2026-03-03' })).toEqual([last, first]);
    expect(await found({ from: '2026-03-02T00:00:00.000Z', to: '2026-03-03T23:59:59.999Z' })).toEqual([
      last,
      first,
    ]);
    expect(await found({ from: '2026-03-04T01:00:00+01:00' })).toEqual([after]);
    expect(await found({ to: '2026-03-01' })).toEqual([before]);
    expect(await found({ to: '1969-01-01' })).toEqual([]);
  });

  it('keep the very moment a conversation says it was created', async () => {
    const agent = { id: null, name: 'Sigma', companyName: 'Northwind' };
    const { conversation } = await service.create(scope, agent, 'Hello');
    const created = conversation.createdAt.toISOString();
    expect(await found({ from: created, to: created })).toEqual([conversation.id]);
  });

  it('work together with a search, an agent and a cursor', async () => {
    const agentId = uuidv7();
    const both = { agentId, sentiment: 'negative' as const };
    const one = await said(['lamp'], { ...both, at: '2026-03-02T10:00:00Z' });
    const two = await said(['lamp'], { ...both, at: '2026-03-02T11:00:00Z' });
    await said(['lamp'], { ...both, at: '2026-03-05T11:00:00Z' });
    await said(['lamp'], { ...both, agentId: uuidv7(), at: '2026-03-02T12:00:00Z' });
    await said(['lamp'], { agentId, at: '2026-03-02T12:00:00Z' });
    await said(['kettle'], { ...both, at: '2026-03-02T12:00:00Z' });
    for (let n = 0; n < 30; n++) await said(['kettle'], { ...both, at: '2026-03-02T13:00:00Z' });
    const query = {
      q: 'lamp',
      sentiment: 'negative',
      agentId,
      from: '2026-03-01',
      to: '2026-03-03',
      limit: '1',
    };
    expect(await found(query)).toEqual([two]);
    expect(await found({ ...query, cursor: two })).toEqual([one]);
  });

  it.each([
    ['sentiment=happy', 'sentiment'],
    ['sentiment=urgent&sentiment=happy', 'sentiment'],
    ['sentiment=', 'sentiment'],
    ['outcome=lost', 'outcome'],
    ['outcome=', 'outcome'],
    ['from=yesterday', 'from'],
    ['to=2026-13-01', 'to'],
    ['from=2026-03-02T10:00', 'from'],
    ['from=2026-03-02&to=2026-03-01', 'to'],
    [`q=${'x'.repeat(201)}`, 'q'],
    ['q=a&q=b', 'q'],
  ])('refuse %s and say which field', async (query, field) => {
    const response = await app.as(token, 'GET', `/api/conversations?${query}`);
    expect([response.statusCode, Object.keys(response.json().fields)]).toEqual([400, [field]]);
    expect(response.json().message).toMatch(/\.$/);
  });
});

it('catches up with what an earlier version stored', async () => {
  const id = await said(['My kettle is broken']);
  const { search } = new ConversationsRepository(app.database.db);
  while ((await search.refresh(null, 100)) === 100);
  const [row] = await app.database.db.select().from(conversations).where(eq(conversations.id, id));
  expect(row?.searchStale).toBe(false);
  expect(await search.refresh(null, 100)).toBe(0);
  expect(await found({ q: 'kettle' })).toEqual([id]);
});
