import type pg from 'pg';
import type { Database } from '#server/database/open';
import { demoAgent } from '#server/features/agents/demo-agent';
import { indexedWords } from '#server/features/conversations/search-words';
import { packOf } from '#server/languages/index';
import { createRandom, type Random } from './random.ts';
import { type SeededAgent, seededAgents, talk } from './talk.ts';

interface SeedOptions {
  userId: string;
  conversations: number;
  /** Per conversation, including the agent's welcome. */
  messages: number;
  /** The newest conversation ends a little earlier. */
  until: Date;
  /** Equal seed, number and `until` give equal conversations. */
  seed: number;
  onProgress?: (done: number) => void;
}

const BATCH = 500;
const DAY_MS = 24 * 60 * 60 * 1000;
/** From this number on, building the word index once at the end is faster. */
const MANY = 5_000;

/**
 * Writes conversations of one user as the product would: titles, counts, times, sentiments, agents and search
 * words match the messages.
 */
export async function seedConversations(database: Database, options: SeedOptions): Promise<void> {
  const random = createRandom(options.seed, options.userId);
  const agents = await seedAgents(database.pool, options, random);
  const rebuild = options.conversations >= MANY ? await dropWordsIndex(database.pool) : null;
  const times = startTimes(random, options);
  for (let from = 0; from < times.length; from += BATCH) {
    const batch = times.slice(from, from + BATCH).map((at) => aTalk(random, agents, at, options.messages));
    await store(database.pool, options.userId, batch);
    options.onProgress?.(Math.min(times.length, from + BATCH));
  }
  await rebuild?.();
  await database.pool.query('vacuum (analyze) conversations, messages, conversation_words');
}

interface CallingAgent extends Pick<SeededAgent, 'name' | 'companyName' | 'welcome'> {
  id: string | null;
}

async function seedAgents(
  pool: pg.Pool,
  { userId, until }: SeedOptions,
  random: Random,
): Promise<CallingAgent[]> {
  const known = await pool.query<{ id: string; name: string; companyName: string }>(
    'select id, name, company_name as "companyName" from agents where workspace_id = (select workspace_id from users where id = $1)',
    [userId],
  );
  const agents: CallingAgent[] = [
    {
      id: null,
      name: demoAgent.name,
      companyName: demoAgent.companyName,
      welcome: `Hello, this is ${demoAgent.name} from ${demoAgent.companyName}. How can I help you?`,
    },
  ];
  for (const agent of seededAgents) {
    const same = known.rows.find((row) => row.name === agent.name && row.companyName === agent.companyName);
    const id = same?.id ?? random.id(until.getTime() - 550 * DAY_MS);
    if (!same)
      await pool.query(
        `insert into agents (id, workspace_id, name, company_name, personality, company_info, prompts)
         values ($1, (select workspace_id from users where id = $2), $3, $4, $5, $6, '[]')`,
        [id, userId, agent.name, agent.companyName, agent.personality, agent.companyInfo],
      );
    agents.push({ ...agent, id });
  }
  return agents;
}

/** Start of each conversation, oldest first: more on weekdays and around noon. */
function startTimes(random: Random, { conversations, until }: SeedOptions): number[] {
  const days = Math.min(540, Math.max(30, Math.round(conversations / 10)));
  const newest = until.getTime() - 60 * 60 * 1000;
  const times: number[] = [];
  while (times.length < conversations) {
    const day = new Date(newest - random.below(days) * DAY_MS);
    const weekend = [0, 6].includes(day.getUTCDay());
    if (weekend && random.number() < 0.7) continue;
    const hour = 7 + 14 * ((random.number() + random.number() + random.number()) / 3);
    const at = day.setUTCHours(0, 0, 0, 0) + Math.round(hour * 60 * 60 * 1000);
    if (at <= newest) times.push(at);
  }
  return times.sort((a, b) => a - b);
}

interface SeededMessage {
  id: string;
  role: string;
  content: string;
  at: number;
  replyTo: string | null;
  responseId: string | null;
  sentiment: string | null;
  score: number | null;
  citations: string | null;
}
interface SeededConversation {
  id: string;
  agent: CallingAgent;
  title: string;
  sentiment: string;
  score: number;
  startedAt: number;
  endedAt: number;
  messages: SeededMessage[];
  lastAt: number;
}

function aTalk(
  random: Random,
  agents: readonly CallingAgent[],
  startedAt: number,
  count: number,
): SeededConversation {
  const agent = agents[random.below(agents.length)] ?? agents[0];
  if (!agent) throw new Error('There is no agent to talk to.');
  const { lines, sentiment } = talk(random, agent.welcome, count);
  let at = startedAt;
  let asked: string | null = null;
  const messages = lines.map((line, index): SeededMessage => {
    if (index > 0) at += line.role === 'user' ? 4_000 + random.below(26_000) : 900 + random.below(2_500);
    const id = random.id(at);
    const isReply = line.role === 'assistant' && asked !== null;
    const message: SeededMessage = {
      id,
      role: line.role,
      content: line.content,
      at,
      replyTo: isReply ? asked : null,
      responseId: isReply ? random.id(at) : null,
      sentiment: line.sentiment,
      score: line.sentiment === null ? null : 0.6 + Math.round(random.number() * 380) / 1000,
      citations: isReply
        ? JSON.stringify(line.citation ? [{ text: line.citation, source: 'Service' }] : [])
        : null,
    };
    if (line.role === 'user') asked = id;
    return message;
  });
  const wishes = lines.filter((line) => line.role === 'user').map((line) => line.content);
  return {
    id: random.id(startedAt),
    agent,
    title:
      packOf('en').messages.title(wishes) ?? (agent.id === null ? 'Demo call' : `Chat with ${agent.name}`),
    sentiment,
    score: 0.6 + Math.round(random.number() * 380) / 1000,
    startedAt,
    lastAt: at,
    endedAt: at + 2_000 + random.below(8_000),
    messages,
  };
}

async function store(pool: pg.Pool, userId: string, batch: readonly SeededConversation[]): Promise<void> {
  const said = batch.flatMap(({ id, messages }) =>
    messages.map((message) => ({ ...message, conversationId: id })),
  );
  const time = (msecs: number) => new Date(msecs).toISOString();
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(
      `insert into conversations (id, contact_id, workspace_id, channel, state, agent_id, agent_name, company_name, title,
         sentiment, sentiment_score, message_count, created_at, first_message_at, last_message_at, ended_at, search_stale)
       select id, $1, (select workspace_id from contacts where id = $1),
         (case when agent_id is null then 'simulator' else 'page' end)::channel, 'ended', agent_id, agent_name,
         company_name, title, sentiment::sentiment, score, messages, started, started, last, ended, false
       from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::real[], $9::int[],
         $10::timestamptz[], $11::timestamptz[], $12::timestamptz[])
         as made(id, agent_id, agent_name, company_name, title, sentiment, score, messages, started, last, ended)`,
      [
        userId,
        batch.map(({ id }) => id),
        batch.map(({ agent }) => agent.id),
        batch.map(({ agent }) => agent.name),
        batch.map(({ agent }) => agent.companyName),
        batch.map(({ title }) => title),
        batch.map(({ sentiment }) => sentiment),
        batch.map(({ score }) => score),
        batch.map(({ messages }) => messages.length),
        batch.map(({ startedAt }) => time(startedAt)),
        batch.map(({ lastAt }) => time(lastAt)),
        batch.map(({ endedAt }) => time(endedAt)),
      ],
    );
    await client.query(
      `insert into messages (id, conversation_id, role, content, created_at, reply_to, response_id, sentiment,
         sentiment_score, citations)
       select id, conversation_id, role::message_role, content, at, reply_to, response_id, sentiment::sentiment, score,
         citations::jsonb
       from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::uuid[], $7::uuid[], $8::text[],
         $9::real[], $10::text[])
         as made(id, conversation_id, role, content, at, reply_to, response_id, sentiment, score, citations)`,
      [
        said.map(({ id }) => id),
        said.map(({ conversationId }) => conversationId),
        said.map(({ role }) => role),
        said.map(({ content }) => content),
        said.map(({ at }) => time(at)),
        said.map(({ replyTo }) => replyTo),
        said.map(({ responseId }) => responseId),
        said.map(({ sentiment }) => sentiment),
        said.map(({ score }) => score),
        said.map(({ citations }) => citations),
      ],
    );
    await client.query(
      `insert into conversation_words (conversation_id, contact_id, words)
       select id, $1, array_to_tsvector(string_to_array(words, ' '))
       from unnest($2::uuid[], $3::text[]) as made(id, words)`,
      [
        userId,
        batch.map(({ id }) => id),
        batch.map(({ title, messages }) =>
          [`@${userId}`, ...indexedWords([title, ...messages.map(({ content }) => content)])].join(' '),
        ),
      ],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

/** @returns rebuilds the index */
async function dropWordsIndex(pool: pg.Pool): Promise<() => Promise<void>> {
  const { rows } = await pool.query<{ made: string }>(
    "select indexdef as made from pg_indexes where indexname = 'conversation_words_found'",
  );
  const made = rows[0]?.made;
  if (!made) return async () => {};
  await pool.query('drop index conversation_words_found');
  return async () => {
    await pool.query(made);
  };
}
