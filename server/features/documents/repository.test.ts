import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { agents, documents, users } from '#server/database/schema';
import { anAgent, aScope, aUser } from '../../../tests/factories.ts';
import { openTestDatabase, type TestDatabase } from '../../../tests/support/test-database.ts';
import { DocumentsRepository } from './repository.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-03-01T12:00:00Z');
const ago = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
const parts = [{ title: null, text: 'We open at nine.' }];

let database: TestDatabase;
let repository: DocumentsRepository;
beforeAll(async () => {
  database = await openTestDatabase();
  repository = new DocumentsRepository(database.db, (_tx, _what, change) => change());
});
afterAll(() => database.close());
beforeEach(() => database.empty());

async function somebody() {
  const [user] = await database.db.insert(users).values(aUser()).returning();
  const [agent] = await database.db
    .insert(agents)
    .values(anAgent(user?.id ?? ''))
    .returning();
  return { scope: aScope(user?.id ?? '', user?.workspaceId), agentId: agent?.id ?? '' };
}

async function aDocument(
  { scope, agentId }: Awaited<ReturnType<typeof somebody>>,
  changes: Partial<typeof documents.$inferInsert> = {},
): Promise<string> {
  const id = crypto.randomUUID();
  const row = { id, title: 'Hours', kind: 'page' as const, source: null, parts: null, characters: 0 };
  await repository.insert(scope, agentId, [row], ago(10), { documents: 100, characters: 1_000 });
  await database.db
    .update(documents)
    .set({ status: 'ready', ...changes })
    .where(eq(documents.id, id));
  return id;
}

it('finds what was still being read, of one account at a time, page by page, and tells what only has to be indexed', async () => {
  const [mine, theirs] = [await somebody(), await somebody()];
  const waiting = { status: 'indexing' as const };
  const fetched = { ...waiting, parts, readAt: ago(1), triedAt: ago(1) };
  const ids = new Map([
    [await aDocument(mine, waiting), false],
    [await aDocument(mine, fetched), true],
    // Its text is stored, but a new fetch was requested.
    [await aDocument(mine, { ...fetched, triedAt: NOW }), false],
    [await aDocument(mine, { ...fetched, kind: 'text', triedAt: NOW }), true],
  ]);
  await aDocument(mine);
  await aDocument(theirs, waiting);
  expect(new Set(await repository.whoWaits(NOW))).toEqual(
    new Set([mine, theirs].map(({ scope }) => scope.workspaceId)),
  );
  const first = await repository.waiting(mine.scope, null, 3);
  const rest = await repository.waiting(mine.scope, first.at(-1)?.id ?? null, 3);
  expect([first.length, rest.length]).toEqual([3, 1]);
  expect(new Map([...first, ...rest].map(({ id, isRead }) => [id, isRead]))).toEqual(ids);
  expect(first[0]?.agentIds).toEqual([mine.agentId]);
});

it('finds the pages whose time has come, those first that were read longest ago', async () => {
  const mine = await somebody();
  const weekly = { readEveryDays: 7, parts, readAt: ago(9) };
  const late = await aDocument(mine, { ...weekly, triedAt: ago(8) });
  const later = await aDocument(mine, { ...weekly, triedAt: ago(9) });
  await aDocument(mine, { ...weekly, triedAt: ago(6) });
  await aDocument(mine, { ...weekly, triedAt: ago(9), status: 'indexing' });
  await aDocument(mine, { parts, readAt: ago(9), triedAt: ago(9) });
  expect(await repository.whoWaits(NOW)).toEqual([mine.scope.workspaceId]);
  expect(await repository.due(mine.scope, NOW, 5)).toEqual([later, late]);
  expect(await repository.due(mine.scope, NOW, 1)).toEqual([later]);
});
