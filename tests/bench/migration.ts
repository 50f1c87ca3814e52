// How long an upgrade to workspaces takes a business with very many conversations: the migrations that are due after 8ea4c8d, as a
// start runs them, on the embedded database and on PostgreSQL.
//   npm run bench migration        fills throw-away databases with 100,000 conversations of 20 messages, a few minutes
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabase } from '#server/database/open';
import { startPostgres } from '../../scripts/lib/test-machine.js';
import { earlierDataDir, migrateToEarlier } from '../support/earlier-data-dir.ts';

/** The number of migrations in the last version before workspaces. */
const BEFORE_WORKSPACES = 26;

interface MigrationOptions {
  accounts?: number;
  conversations?: number;
  messages?: number;
}

interface MigrationFigures {
  conversations: number;
  messages: number;
  /** From opening the database of the earlier version to its first answer. */
  firstStartSeconds: number;
  /** The same without pending migrations. */
  nextStartSeconds: number;
}

/** @returns figures by the name of the database */
export async function benchMigration(
  options: MigrationOptions = {},
): Promise<Record<string, MigrationFigures | string>> {
  const scratch = await mkdtemp(join(tmpdir(), 'sigma-bench-migration-'));
  const fill = (client: pg.Client) => fillEarlier(client, options);
  const dataDir = await earlierDataDir(BEFORE_WORKSPACES, fill);
  const postgres = await startPostgres(scratch);
  try {
    const embedded = await upgrade({ dataDir, databaseUrl: null });
    if (!postgres.url) return { embedded, PostgreSQL: 'reason' in postgres ? postgres.reason : '' };
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await migrateToEarlier(client, BEFORE_WORKSPACES);
    await fill(client);
    await client.end();
    return { embedded, PostgreSQL: await upgrade({ dataDir: scratch, databaseUrl: postgres.url }) };
  } finally {
    if (postgres.url) await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
    await rm(scratch, { recursive: true, force: true });
  }
}

async function upgrade(place: { dataDir: string; databaseUrl: string | null }): Promise<MigrationFigures> {
  const firstStartSeconds = await startSeconds(place);
  const nextStartSeconds = await startSeconds(place);
  const database = await openDatabase(place);
  try {
    const { rows } = await database.pool.query<{ conversations: number; messages: number; astray: number }>(
      `select (select count(*)::int from conversations) as conversations, (select count(*)::int from messages) as messages,
         (select count(*)::int from conversations join contacts on contacts.id = contact_id
           where contacts.workspace_id <> conversations.workspace_id) as astray`,
    );
    const [found] = rows;
    if (!found || found.astray > 0) throw new Error('Conversations lost their workspace.');
    const { conversations, messages } = found;
    return { conversations, messages, firstStartSeconds, nextStartSeconds };
  } finally {
    await database.close();
  }
}

async function startSeconds(place: { dataDir: string; databaseUrl: string | null }): Promise<number> {
  const started = performance.now();
  const database = await openDatabase(place);
  const seconds = (performance.now() - started) / 1000;
  await database.close();
  return Math.round(seconds * 10) / 10;
}

/** As that version wrote it; without search words, which an upgrade does not change. */
async function fillEarlier(
  client: pg.Client,
  { accounts = 20, conversations = 100_000, messages = 20 }: MigrationOptions,
): Promise<void> {
  await client.query(
    `insert into users (id, name, email, password_hash, role)
     select gen_random_uuid(), 'Ada ' || n, 'ada-' || n || '@example.com', 'x',
       case n when 1 then 'owner' else 'member' end::account_role
     from generate_series(1, $1::int) as n`,
    [accounts],
  );
  await client.query(
    `insert into conversations (id, user_id, agent_name, company_name, title, message_count, created_at,
       first_message_at, last_message_at, ended_at, search_stale)
     select gen_random_uuid(), owners.ids[1 + n % $1::int], 'Sigma', 'Company ' || n % 20, 'Return Of Headphones', $3::int,
       at, at, at + interval '3 minutes', at + interval '4 minutes', false
     from (select n, now() - n * interval '5 minutes' as at from generate_series(1, $2::int) as n) as times,
       (select array_agg(id) as ids from users) as owners`,
    [accounts, conversations, messages],
  );
  await client.query(
    `insert into messages (id, conversation_id, role, content, created_at)
     select gen_random_uuid(), id, (array['assistant', 'user'])[1 + n % 2]::message_role,
       'Something of the length that people say things in, once more and again: ' || n, created_at
     from conversations, generate_series(1, $1::int) as n`,
    [messages],
  );
}
