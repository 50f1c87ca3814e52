// How fast conversations are listed and searched when one user has very many: through the product's own HTTP server, on the
// embedded database and on PostgreSQL.
//   npm run bench lists            seeds 100,000 conversations of 20 messages into throw-away databases, a few minutes
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { createApp } from '#server/app/app';
import { type Database, openDatabase } from '#server/database/open';
import { createDialogue } from '#server/dialogue/respond';
import { createLogger } from '#server/telemetry/logger';
import { signedInSchema } from '#shared/accounts';
import { startPostgres } from '../../scripts/lib/test-machine.js';
import { seedConversations } from '../../scripts/seed/seed-conversations.ts';
import { fakeEngines } from '../support/fake-engines.ts';

interface ListFigures {
  database: string;
  conversations: number;
  seedSeconds: number;
  rows: { what: string; found: number; p50Ms: number; p95Ms: number; maxMs: number }[];
}

interface ListBenchOptions {
  conversations?: number;
  messages?: number;
  rounds?: number;
}

const PAGE = 60;

/** Measures GET /api/conversations as the page requests it: summaries, 60 at a time. */
export async function benchLists(options: ListBenchOptions = {}): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'sigma-bench-lists-'));
  const postgres = await startPostgres(scratch);
  try {
    const figures = [
      await onDatabase('embedded', { dataDir: join(scratch, 'data'), databaseUrl: null }, options),
    ];
    if (postgres.url)
      figures.push(await onDatabase('PostgreSQL', { dataDir: scratch, databaseUrl: postgres.url }, options));
    return [
      ...figures.map(describeLists),
      ...('reason' in postgres ? [`PostgreSQL: ${postgres.reason}`] : []),
    ].join('\n\n');
  } finally {
    if (postgres.url) await postgres.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

async function onDatabase(
  name: string,
  place: { dataDir: string; databaseUrl: string | null },
  { conversations = 100_000, messages = 20, rounds = 40 }: ListBenchOptions,
): Promise<ListFigures> {
  const database = await openDatabase(place);
  try {
    const app = await createBenchApp(database);
    try {
      const account = {
        name: 'Bench',
        email: `${uuidv7()}@sigma.example`,
        password: 'measured twice, cut once',
      };
      const registered = await app.server.inject({
        method: 'POST',
        url: '/api/auth/register',
        body: account,
      });
      const { token, user } = signedInSchema.parse(registered.json());
      const started = performance.now();
      await seedConversations(database, {
        userId: user._id,
        conversations,
        messages,
        seed: 1,
        until: new Date(),
      });
      const seedSeconds = Math.round((performance.now() - started) / 1000);
      const ask = async (query: string) => {
        const asked = performance.now();
        const response = await app.server.inject({
          url: `/api/conversations?view=summary&limit=${PAGE}&${query}`,
          headers: { authorization: `Bearer ${token}` },
        });
        if (response.statusCode !== 200) throw new Error(`${query} was answered ${response.statusCode}`);
        return { ms: performance.now() - asked, found: response.json<unknown[]>().length };
      };
      const deep = await database.pool.query<{ id: string }>(
        'select id from conversations where contact_id = $1 order by id offset 1000 limit 1',
        [user._id],
      );
      const rows: ListFigures['rows'] = [];
      for (const [what, queries] of kinds(deep.rows[0]?.id ?? uuidv7())) {
        const answers: { ms: number; found: number }[] = [];
        for (let round = 0; round < rounds + 3; round++) {
          const answer = await ask(queries[round % queries.length] ?? '');
          if (round >= 3) answers.push(answer);
        }
        const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
        const at = (share: number) => times[Math.max(0, Math.ceil(share * times.length) - 1)] ?? Number.NaN;
        const found = Math.max(...answers.map((answer) => answer.found));
        rows.push({ what, found, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) });
      }
      return { database: name, conversations, seedSeconds, rows };
    } finally {
      await app.close(1_000);
    }
  } finally {
    await database.close();
  }
}

/** Typical requests; several queries of a kind take turns. */
function kinds(deepCursor: string): [what: string, queries: string[]][] {
  const month = new Date(Date.now() - 200 * 24 * 60 * 60 * 1000).toISOString().slice(0, 8);
  const period = `from=${month}01&to=${month}28`;
  return [
    ['first page', ['']],
    ['page after 99,000 others', [`cursor=${deepCursor}`]],
    ['of the workspace', ['of=workspace', 'of=workspace&channel=page']],
    ['of the workspace: who waits', ['of=workspace&state=waiting']],
    ['of the workspace: search', ['of=workspace&q=kettle', 'of=workspace&q=4711', 'of=workspace&q=zebra']],
    ['one sentiment', ['sentiment=urgent', 'sentiment=negative']],
    ['two sentiments in a month', [`sentiment=urgent,negative&${period}`]],
    ['search: common word', ['q=order', 'q=you', 'q=days']],
    ['search: uncommon word', ['q=kettle', 'q=bicycle', 'q=Zürich', 'q=student']],
    ['search: rare word', ['q=4711', 'q=123456', 'q=bw-2000']],
    ['search: no hits', ['q=zebra', 'q=xylophone']],
    ['search: two words', ['q=kettle+berlin', 'q=stolen+card', 'q=invoice+toaster']],
    ['search: common words never together', ['q=lawyer+smoking', 'q=kettle+toaster']],
    ['search: a beginning', ['q=th', 'q=re', 'q=tr', 'q=co']],
    ['search: seven words', ['q=i+want+to+return+the+kettle+bought']],
    ['search with a sentiment', ['q=order&sentiment=urgent', 'q=kettle&sentiment=negative']],
    ['search in a month', [`q=order&${period}`, `q=kettle&${period}`]],
    ['search, deep page', [`q=order&cursor=${deepCursor}`, `q=kettle&cursor=${deepCursor}`]],
  ];
}

function createBenchApp(database: Database) {
  const engines = fakeEngines();
  return createApp({
    config: { publicUrl: null, corsOrigins: [], rateLimit: false },
    database,
    engines,
    dialogue: createDialogue({ reading: engines.reading }),
    logger: createLogger({ level: 'error' }),
  });
}

function describeLists({ database, conversations, seedSeconds, rows }: ListFigures): string {
  return [
    `${database}: ${conversations.toLocaleString('en')} conversations of one user, seeded in ${seedSeconds} s`,
    ...rows.map(
      ({ what, found, p50Ms, p95Ms, maxMs }) =>
        `${what.padEnd(38)} ${String(found).padStart(3)} found   p50 ${p50Ms.toFixed(1).padStart(6)} ms   p95 ${p95Ms.toFixed(1).padStart(6)} ms   max ${maxMs.toFixed(1).padStart(6)} ms`,
    ),
  ].join('\n');
}
