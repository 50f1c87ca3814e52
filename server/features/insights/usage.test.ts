import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { conversations, users } from '#server/database/schema';
import { ConversationsRepository } from '#server/features/conversations/repository';
import { ConversationsService } from '#server/features/conversations/service';
import type { ContactScope } from '#server/lib/scope';
import { outcomes, type Sentiment, sentiments } from '#shared/conversations';
import { aConversation, aScope, aUser } from '../../../tests/factories.ts';
import { openTestDatabase, type TestDatabase } from '../../../tests/support/test-database.ts';
import { QUARTER_HOUR_MS } from './days.ts';
import { InsightsRepository, type Usage } from './repository.ts';

let database: TestDatabase;
let insights: InsightsRepository;
let service: ConversationsService;
let userId: string;
let scope: ContactScope;
beforeAll(async () => {
  database = await openTestDatabase();
  insights = new InsightsRepository(database.db);
  service = new ConversationsService(new ConversationsRepository(database.db));
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.empty();
  scope = await aStoredUser();
  userId = scope.contactId;
});

async function aStoredUser(): Promise<ContactScope> {
  const user = aUser();
  await database.db.insert(users).values(user);
  return aScope(user.id, user.workspaceId);
}

/** The first two days of 2026 by the quarter of an hour, and everything before and after. */
const start = Date.UTC(2026, 0, 1) / QUARTER_HOUR_MS;
const bounds = [-4_000_000, ...Array.from({ length: 193 }, (_, index) => start + index), 8_000_000];
const usage = (of = scope) => insights.usage(of, bounds, 3);

/** The same statistics, counted one by one. */
async function recount({ contactId: of } = scope): Promise<Usage> {
  const rows = await database.db.select().from(conversations).where(eq(conversations.contactId, of));
  const labels = () => ({
    ...{ positive: 0, neutral: 0, negative: 0, urgent: 0 },
    ...{ answered: 0, offered: 0, declined: 0, handover: 0, social: 0 },
  });
  const companies = new Map<string, Usage['companies'][number]>();
  const ranges = new Map<number, Usage['ranges'][number]>();
  for (const row of rows) {
    const company = companies.get(row.companyName) ?? {
      name: row.companyName,
      calls: 0,
      durationMs: 0,
      messages: 0,
      lastActivityMs: 0,
      ...labels(),
    };
    companies.set(row.companyName, company);
    company.calls += 1;
    company.messages += row.messageCount;
    company[row.sentiment] += 1;
    const outcome = row.outcome === 'asked-back' ? null : row.outcome;
    if (outcome) company[outcome] += 1;
    if (row.firstMessageAt && row.lastMessageAt)
      company.durationMs += Math.max(0, row.lastMessageAt.getTime() - row.firstMessageAt.getTime());
    company.lastActivityMs = Math.max(company.lastActivityMs, (row.lastMessageAt ?? row.createdAt).getTime());
    const quarterHour = Math.floor(row.createdAt.getTime() / QUARTER_HOUR_MS);
    const at = bounds.findLastIndex((bound) => bound <= quarterHour);
    const range = ranges.get(at) ?? { range: at, ...labels() };
    ranges.set(at, range);
    range[row.sentiment] += 1;
    if (outcome) range[outcome] += 1;
  }
  return {
    companies: [...companies.values()].sort(
      (a, b) => b.lastActivityMs - a.lastActivityMs || (a.name < b.name ? -1 : 1),
    ),
    ranges: [...ranges.values()].sort((a, b) => a.range - b.range),
    urgent: rows
      .filter((row) => row.sentiment === 'urgent')
      .sort((a, b) => (a.id < b.id ? 1 : -1))
      .slice(0, 3)
      .map((row) => ({
        id: row.id,
        title: row.title,
        lastActivityMs: (row.lastMessageAt ?? row.createdAt).getTime(),
      })),
    handovers: rows
      .filter((row) => row.outcome === 'handover')
      .sort((a, b) => (a.id < b.id ? 1 : -1))
      .slice(0, 3)
      .map((row) => ({
        id: row.id,
        title: row.title,
        contact: row.contact,
        lastActivityMs: (row.lastMessageAt ?? row.createdAt).getTime(),
      })),
  };
}

/** Park and Miller's generator: the same sequence in every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

const relabel = (ids: readonly string[], sentiment: Sentiment) =>
  database.db
    .update(conversations)
    .set({ sentiment })
    .where(sql`${conversations.id} = any(${`{${ids.join()}}`}::uuid[])`);

it.each([1, 20, 300, 4_000])('equals a recount after whatever happened (%i)', async (seed) => {
  const below = random(seed);
  const open: string[] = [];
  const ended: string[] = [];
  const some = (ids: readonly string[]) => ids[below(Math.max(1, ids.length))];
  for (let step = 0; step < 60; step++) {
    const id = some(open);
    switch (id === undefined ? 0 : below(9)) {
      case 0:
      case 1: {
        const companyName = `Company ${below(3)}`;
        const { conversation } = await service.create(
          scope,
          { id: null, name: 'Sigma', companyName },
          'Hello',
        );
        open.push(conversation.id);
        break;
      }
      case 2: {
        const createdAt = new Date(Date.UTC(2026, 0, 1) + below(172_800_000));
        const row = aConversation(userId, {
          createdAt,
          companyName: `Company ${below(3)}`,
          sentiment: sentiments[below(4)] ?? 'neutral',
          outcome: outcomes[1 + below(5)] ?? null,
          ...(below(2)
            ? { firstMessageAt: createdAt, lastMessageAt: new Date(createdAt.getTime() + below(900_000)) }
            : {}),
        });
        await database.db.insert(conversations).values(row);
        open.push(row.id);
        break;
      }
      case 3:
      case 4:
        await service.addUserMessage(scope, id ?? '', 'Where is it?', undefined);
        break;
      case 5: {
        const { id: question } = await service.addUserMessage(scope, id ?? '', 'And now?', undefined);
        const outcome = outcomes[below(8)];
        const reply = { responseId: uuidv7(), content: 'There.', citations: [], interrupted: false, outcome };
        const stored = await service.addReply(scope, id ?? '', question, {
          ...reply,
          ...(outcome === 'handover' ? { contact: { name: `Ada ${step}` } } : {}),
        });
        if (below(3) === 0) await service.cutReply(scope, stored, '');
        break;
      }
      case 6: {
        const { messages } = await service.end(scope, id ?? '');
        const over = open.splice(open.indexOf(id ?? ''), 1);
        // A conversation without a customer's word is deleted at its end.
        if (messages.some(({ role }) => role === 'user')) ended.push(...over);
        break;
      }
      case 7: {
        const ids = below(3) === 0 ? [...open, ...ended] : [some([...open, ...ended]) ?? ''];
        await relabel(ids, sentiments[below(4)] ?? 'neutral');
        break;
      }
      case 8: {
        const from = ended.length > 0 && below(2) ? ended : open;
        const gone = from.splice(below(from.length), 1)[0] ?? '';
        await service.delete(scope, gone);
        break;
      }
    }
    if (step % 6 === 0 || step > 50) expect(await usage()).toEqual(await recount());
  }
});

it('equals a recount when many things happen at once', async () => {
  const agent = { id: null, name: 'Sigma', companyName: 'Northwind' };
  const made = await Promise.all(Array.from({ length: 12 }, () => service.create(scope, agent, 'Hello')));
  const ids = made.map(({ conversation }) => conversation.id);
  await Promise.all([
    ...ids.flatMap((id) =>
      [1, 2, 3].map(() => service.addUserMessage(scope, id, 'Hello?', undefined).catch(() => null)),
    ),
    ...ids.slice(0, 4).map((id) => service.delete(scope, id)),
    ...ids.slice(4, 8).map((id) => relabel([id], 'urgent')),
    relabel(ids, 'negative'),
    service.create(scope, { ...agent, companyName: 'Contoso' }, 'Hello'),
  ]);
  const counted = await usage();
  expect(counted).toEqual(await recount());
  expect(counted.companies.map(({ name, calls }) => [name, calls]).sort()).toEqual([
    ['Contoso', 1],
    ['Northwind', 8],
  ]);
});

it('forgets a company with its last conversation, and finds the activity before the latest one', async () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute));
  const [older, newer, only] = [
    aConversation(userId, { createdAt: at(1), firstMessageAt: at(1), lastMessageAt: at(2) }),
    aConversation(userId, { createdAt: at(3), firstMessageAt: at(3), lastMessageAt: at(4) }),
    aConversation(userId, { createdAt: at(5), companyName: 'Contoso' }),
  ];
  await database.db.insert(conversations).values([older, newer, only]);
  await service.delete(scope, newer.id);
  await service.delete(scope, only.id);
  const { companies } = await usage();
  expect(companies).toMatchObject([{ name: 'Northwind', calls: 1, lastActivityMs: at(2).getTime() }]);
});

it('keeps users apart and goes with its user', async () => {
  const stranger = await aStoredUser();
  await database.db
    .insert(conversations)
    .values([aConversation(userId), aConversation(stranger.contactId, { sentiment: 'urgent' })]);
  expect(await usage()).toEqual(await recount());
  expect(await usage(stranger)).toEqual(await recount(stranger));
  await database.db.delete(users).where(eq(users.id, stranger.contactId));
  expect(await usage(stranger)).toEqual({ companies: [], ranges: [], urgent: [], handovers: [] });
  expect((await usage()).companies).toHaveLength(1);
});

it('is right again after a rebuild, whatever was written past the triggers', async () => {
  await database.pool.query('alter table conversations disable trigger user');
  const rows = Array.from({ length: 50 }, (_, index) =>
    aConversation(userId, {
      companyName: `Company ${index % 4}`,
      sentiment: sentiments[index % 4] ?? 'neutral',
      createdAt: new Date(Date.UTC(2026, 0, 1) + index * QUARTER_HOUR_MS),
      messageCount: index,
    }),
  );
  await database.db.insert(conversations).values(rows);
  await database.pool.query('alter table conversations enable trigger user');
  expect((await usage()).companies).toEqual([]);
  await insights.rebuild();
  const counted = await usage();
  expect(counted).toEqual(await recount());
  expect(counted.companies).toHaveLength(4);
});
