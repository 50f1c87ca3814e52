import process from 'node:process';
import type pg from 'pg';
import { type SignedIn, signedInSchema } from '#shared/accounts';
import { insightsSchema } from '#shared/insights';
import { openTestApp, type TestApp } from '../support/test-app.ts';

interface StatsFigures {
  conversations: number;
  /** GET /api/conversations/stats/user/{userId} for 90 days, from the request to the last byte, ms. */
  statsP50Ms: number;
  statsP95Ms: number;
  /** The same while messages are being stored one after another, ms. */
  statsUnderWritesP95Ms: number;
  /** Storing one more message in a conversation, with and without keeping the sums, ms. */
  appendP50Ms: number;
  appendWithoutSumsP50Ms: number;
  /** Recounting everything, ms. */
  rebuildMs: number;
}

/**
 * Statistics of a user with many conversations, 20 messages each by their counts, one every five minutes for a year.
 * Writes no messages, since statistics read none. Runs on the embedded database, and on the PostgreSQL server of
 * SIGMA_TEST_DATABASE_URL if there is one.
 */
export async function benchStats({
  conversations = 100_000,
  requests = 200,
} = {}): Promise<Record<string, StatsFigures>> {
  const server = process.env.SIGMA_TEST_DATABASE_URL;
  const figures: Record<string, StatsFigures> = {};
  delete process.env.SIGMA_TEST_DATABASE_URL;
  figures.embedded = await measure(conversations, requests);
  if (server) {
    process.env.SIGMA_TEST_DATABASE_URL = server;
    figures.PostgreSQL = await measure(conversations, requests);
  }
  return figures;
}

async function measure(conversations: number, requests: number): Promise<StatsFigures> {
  const app = await openTestApp();
  try {
    const account = signedInSchema.parse(await app.signUp());
    const { pool } = app.database;
    await fill(pool, account.user._id, conversations);
    const rebuildMs = await took(() => pool.query('select rebuild_usage()'));
    await pool.query('vacuum (analyze) conversations, usage_by_company, usage_by_quarter_hour');
    await ask(app, account, conversations);
    const stats = await repeat(requests, () => ask(app, account, conversations));
    const { rows } = await pool.query<{ id: string }>('select id from conversations order by id limit 500');
    const append = (index: number) =>
      pool.query(
        `update conversations set message_count = message_count + 1,
           last_message_at = last_message_at + interval '1 second' where id = $1`,
        [rows[index % rows.length]?.id],
      );
    // Alternating, so that neither has the quieter machine.
    const appends: Record<string, number[]> = { enable: [], disable: [] };
    for (let round = 0; round < 10; round++)
      for (const [sums, times] of Object.entries(appends)) {
        await pool.query(`alter table conversations ${sums} trigger user`);
        times.push(...(await repeat(50, (index) => append(round * 50 + index))));
      }
    await pool.query('alter table conversations enable trigger user');
    const writing = new AbortController();
    const writes = (async () => {
      for (let index = 0; !writing.signal.aborted; index++) await append(index);
    })();
    const underWrites = await repeat(requests, () => ask(app, account, conversations));
    writing.abort();
    await writes;
    return {
      conversations,
      statsP50Ms: percentile(stats, 50),
      statsP95Ms: percentile(stats, 95),
      statsUnderWritesP95Ms: percentile(underWrites, 95),
      appendP50Ms: percentile(appends.enable ?? [], 50),
      appendWithoutSumsP50Ms: percentile(appends.disable ?? [], 50),
      rebuildMs: Math.round(rebuildMs),
    };
  } finally {
    await app.close();
  }
}

/** Without the triggers: `rebuild_usage()` is measured on the rows that they would have counted. */
async function fill(pool: pg.Pool, userId: string, conversations: number): Promise<void> {
  await pool.query('alter table conversations disable trigger user');
  await pool.query(
    `insert into conversations (id, contact_id, workspace_id, channel, agent_name, company_name, title, sentiment, message_count,
       created_at, first_message_at, last_message_at)
     select gen_random_uuid(), $1, (select workspace_id from contacts where id = $1), 'simulator', 'Sigma', 'Company ' || n % 20, 'Return Of Headphones',
       (array['positive', 'neutral', 'negative', 'urgent'])[1 + n * 7919 % 4]::sentiment, 20,
       at, at, at + interval '3 minutes'
     from (select n, now() - n * interval '5 minutes' as at from generate_series(1, $2::int) as n) as times`,
    [userId, conversations],
  );
  await pool.query('alter table conversations enable trigger user');
}

async function ask(app: TestApp, { token, user }: SignedIn, conversations: number): Promise<void> {
  const response = await app.as(
    token,
    'GET',
    `/api/conversations/stats/user/${user._id}?tz=Asia/Kolkata&days=90`,
  );
  const { totalCalls, daily } = insightsSchema.parse(response.json());
  if (totalCalls !== conversations || daily.length !== 90) throw new Error('The statistics are wrong.');
}

async function repeat(times: number, act: (index: number) => Promise<unknown>): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < times; index++) all.push(await took(() => act(index)));
  return all;
}

async function took(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
  return Math.round(value * 10) / 10;
}
