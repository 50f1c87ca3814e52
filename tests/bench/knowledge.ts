// How soon many documents can be asked, what another account's conversation feels of it, and how well they are found.
//   npm run bench knowledge articles.json [tasks.json]
// Articles: [{id, title, content}]. Tasks: [{said: [what the customer says, in order], required: [ids of articles]}].
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { createApp } from '#server/app/app';
import { openDatabase } from '#server/database/open';
import type { AgentDocument } from '#server/dialogue/contract';
import { openLibrary } from '#server/dialogue/knowledge/library';
import { createDialogue } from '#server/dialogue/respond';
import { createReading } from '#server/engines/reading/index';
import { createLogger } from '#server/telemetry/logger';
import { signedInSchema } from '#shared/accounts';
import { agentSchema } from '#shared/agents';
import { documentSchema } from '#shared/documents';
import { fakeEngines } from '../support/fake-engines.ts';

const articlesSchema = z.array(z.object({ id: z.string(), title: z.string(), content: z.string() }));
const tasksSchema = z.array(z.object({ said: z.array(z.string()), required: z.array(z.string()) }));
type Article = z.infer<typeof articlesSchema>[number];

const FOUND = 10;
const CALLS_BEFORE = 30;
const QUESTION = 'Within how many days can I send a lamp back?';

/** @returns a table of figures */
export async function benchKnowledge(files: readonly string[]): Promise<string> {
  const [articlesFile, tasksFile] = files;
  if (!articlesFile) return 'Name a file of articles.';
  const articles = articlesSchema.parse(JSON.parse(await readFile(articlesFile, 'utf8')));
  const reading = createReading({ begin: Promise.resolve() });
  try {
    while (reading.status().state === 'loading') await new Promise((resolve) => setTimeout(resolve, 100));
    // Prints each as soon as it is known: the second takes minutes.
    console.log(await uploaded(articles, reading));
    if (!tasksFile) return '';
    const tasks = tasksSchema.parse(JSON.parse(await readFile(tasksFile, 'utf8')));
    return await found(articles, tasks, reading);
  } finally {
    await reading.close();
  }
}

async function uploaded(
  articles: readonly Article[],
  reading: ReturnType<typeof createReading>,
): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'sigma-bench-knowledge-'));
  const database = await openDatabase({ dataDir: join(scratch, 'data'), databaseUrl: null });
  const dialogue = createDialogue({ reading });
  const app = await createApp({
    config: { publicUrl: null, corsOrigins: [], rateLimit: false },
    database,
    engines: fakeEngines({ reading }),
    dialogue,
    logger: createLogger({ level: 'silent' }),
  });
  const post = async (url: string, body: object, token?: string) => {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    return (await app.server.inject({ method: 'POST', url, headers, body })).json();
  };
  const somebody = async (name: string) => {
    const account = { name, email: `${name}@example.com`, password: 'correct horse battery staple' };
    const { token } = signedInSchema.parse(await post('/api/auth/register', account));
    const draft = { name, companyName: 'Lamps', personality: 'Brisk.', companyInfo, prompts: [] };
    const { _id } = agentSchema.parse(await post('/api/agents', draft, token));
    return { token, agentId: _id, draft };
  };
  try {
    const ada = await somebody('ada');
    const bea = await somebody('bea');
    const call = async () => {
      const from = performance.now();
      await post('/api/agents/try', { agent: bea.draft, message: QUESTION, voice: false }, bea.token);
      return performance.now() - from;
    };
    await call();
    const before: number[] = [];
    for (let n = 0; n < CALLS_BEFORE; n++) before.push(await call());
    const during: number[] = [];
    let isReading = true;
    const calls = (async () => {
      while (isReading) during.push(await call());
    })();
    const from = performance.now();
    const documents = articles.map(({ title, content }) => ({ title, text: content }));
    await post(`/api/agents/${ada.agentId}/documents/batch`, { documents }, ada.token);
    const stored = performance.now() - from;
    for (let waiting = true; waiting; ) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const listed = await app.server.inject({
        url: `/api/agents/${ada.agentId}/documents`,
        headers: { authorization: `Bearer ${ada.token}` },
      });
      waiting = documentSchema
        .array()
        .parse(listed.json())
        .some(({ status }) => status === 'indexing');
    }
    const ready = performance.now() - from;
    isReading = false;
    await calls;
    return [
      `${articles.length} documents stored after ${seconds(stored)}, ready after ${seconds(ready)}`,
      `another account's answer: before p50 ${quantile(before, 0.5)} ms, p95 ${quantile(before, 0.95)} ms; meanwhile p50 ${quantile(during, 0.5)} ms, p95 ${quantile(during, 0.95)} ms, longest ${quantile(during, 1)} ms (${during.length})`,
    ].join('\n');
  } finally {
    await app.close(1_000);
    await dialogue.close();
    await database.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

const companyInfo =
  '# Returns\n\nYou can send a lamp back within 45 days.\n\n# Hours\n\nWe are open from 9 am.';

/** How many of each task's articles are among the first ten results for its words. */
async function found(
  articles: readonly Article[],
  tasks: z.infer<typeof tasksSchema>,
  reading: ReturnType<typeof createReading>,
): Promise<string> {
  const library = openLibrary(reading);
  const documents: AgentDocument[] = articles.map(({ id, title, content }) => ({
    id,
    revision: '1',
    title,
    parts: [{ title: null, text: content }],
  }));
  const agent = {
    id: 'bench',
    revision: '1',
    name: 'Mia',
    companyName: 'Bank',
    personality: '',
    companyInfo: '',
    prompts: [],
    language: 'en',
    documents: async () => documents,
  };
  const firstTen = async (text: string, withMeaning: boolean) => {
    const [vector = null] = withMeaning ? await reading.embed([text], { as: 'question' }) : [];
    const [result] = await library.search(agent, [{ text, vector }], 60, new AbortController().signal);
    const ids = result?.candidates.flatMap(({ passage }) => passage.document ?? []) ?? [];
    return new Set([...new Set(ids)].slice(0, FOUND));
  };
  const recall = async (withMeaning: boolean) => {
    const shares = { opening: 0, said: 0 };
    for (const { said, required } of tasks) {
      const sets: Set<string>[] = [];
      for (const text of said) sets.push(await firstTen(text, withMeaning));
      const share = (some: readonly Set<string>[]) =>
        required.filter((id) => some.some((set) => set.has(id))).length / Math.max(1, required.length);
      shares.opening += share(sets.slice(0, 1)) / tasks.length;
      shares.said += share(sets) / tasks.length;
    }
    return `${percent(shares.opening)} by the customer's first words, ${percent(shares.said)} by all they say`;
  };
  try {
    const from = performance.now();
    await library.prepare(agent);
    const byWords = await recall(false);
    await library.complete(agent);
    const complete = performance.now() - from;
    const both = await recall(true);
    const times: number[] = [];
    for (const { said } of tasks.slice(0, 60)) {
      const begin = performance.now();
      await firstTen(said[0] ?? '', true);
      times.push(performance.now() - begin);
    }
    return [
      `recall@${FOUND} of the articles ${tasks.length} tasks need, by words: ${byWords}`,
      `recall@${FOUND} by words and meaning (vectors complete after ${seconds(complete)}): ${both}`,
      `one search: p50 ${quantile(times, 0.5)} ms, p95 ${quantile(times, 0.95)} ms`,
    ].join('\n');
  } finally {
    await library.close();
  }
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0);
}
