import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { type Database, openDatabase } from '#server/database/open';
import { freshDataDir } from './fresh-data-dir.ts';

export interface TestDatabase extends Database {
  /** Deletes every row, so that each test starts empty. */
  empty(): Promise<void>;
}

/**
 * A fresh, migrated database for a test file; `close` removes it. Embedded, or on a real PostgreSQL if
 * SIGMA_TEST_DATABASE_URL names a server and a user who may create databases.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const server = process.env.SIGMA_TEST_DATABASE_URL;
  return server ? onServer(server) : embedded();
}

async function embedded(): Promise<TestDatabase> {
  const dataDir = await freshDataDir();
  const database = await openDatabase({ dataDir, databaseUrl: null });
  return withEmpty(database, async () => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  });
}

async function onServer(server: string): Promise<TestDatabase> {
  const name = `sigma_test_${randomUUID().replaceAll('-', '')}`;
  await runOn(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = await openDatabase({ dataDir: tmpdir(), databaseUrl: url.href });
  return withEmpty(database, async () => {
    await database.close();
    await runOn(server, `drop database ${name} with (force)`);
  });
}

async function runOn(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Adds `empty` to an open database. */
export function withEmpty(database: Database, close = () => database.close()): TestDatabase {
  return {
    ...database,
    empty: () => emptyTables(database),
    close,
  };
}

const DEADLOCK = '40P01';

/** Tables filled by people, followed by all tables that reference them. */
const EMPTY_TABLES = sql`do $$
declare filled regclass;
begin
  for filled in
    with recursive reached(id, depth) as (
      select id::regclass::oid, 0 from unnest(array['conversations', 'agents', 'users', 'sessions', 'messages',
        'idempotency_keys', 'installation_settings', 'audit_log', 'events']) id
      union
      select conrelid, depth + 1 from pg_constraint join reached on confrelid = reached.id
      where contype = 'f' and depth < 4
    )
    select id from reached group by id order by min(depth)
  loop
    execute format('delete from %s', filled);
  end loop;
end $$`;

/**
 * Row by row: `truncate` creates new files for thirty tables, which takes twenty times as long. The app's own
 * cleanup runs in the background in another order of tables, so one of the two may have to retry.
 */
async function emptyTables(database: Database, attempts = 5): Promise<void> {
  try {
    await database.db.execute(EMPTY_TABLES);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    const isDeadlock = cause instanceof Error && 'code' in cause && cause.code === DEADLOCK;
    if (!isDeadlock || attempts <= 1) throw error;
    await emptyTables(database, attempts - 1);
  }
}
