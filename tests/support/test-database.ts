import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { type Database, openDatabase } from '#server/database/open';

export interface TestDatabase extends Database {
  /** Removes every row, so that each test begins with nothing. */
  empty(): Promise<void>;
}

/**
 * A fresh, migrated database of its own for a test file; `close` removes it.
 * It is the embedded one, or on a real PostgreSQL when SIGMA_TEST_DATABASE_URL names a server and a user who may
 * create databases.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const server = process.env.SIGMA_TEST_DATABASE_URL;
  return server ? onServer(server) : embedded();
}

/** A data directory of its own with an empty, migrated database that nobody has open. The caller removes it. */
export async function freshDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sigma-test-'));
  await cp(await template(), dataDir, { recursive: true });
  return dataDir;
}

async function embedded(): Promise<TestDatabase> {
  const dataDir = await freshDataDir();
  const database = await openDatabase({ dataDir, databaseUrl: null });
  return withEmpty(database, async () => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  });
}

/**
 * A data directory made and migrated once per schema and version of the engine, and copied from then on.
 * Several test processes may make it at once: the first to finish wins.
 */
async function template(): Promise<string> {
  const migrations = fileURLToPath(new URL('../../server/database/migrations', import.meta.url));
  const hash = createHash('sha256').update(
    readFileSync(new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url)),
  );
  for (const file of readdirSync(migrations).sort())
    if (file.endsWith('.sql')) hash.update(file).update(readFileSync(join(migrations, file)));
  const made = join(tmpdir(), `sigma-test-template-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(made)) return made;
  const unfinished = await mkdtemp(join(tmpdir(), 'sigma-test-template-unfinished-'));
  const database = await openDatabase({ dataDir: unfinished, databaseUrl: null });
  await database.close();
  await rename(unfinished, made).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(made)) throw error;
  });
  return made;
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

function withEmpty(database: Database, close: () => Promise<void>): TestDatabase {
  return {
    ...database,
    empty: () => emptyTables(database),
    close,
  };
}

const DEADLOCK = '40P01';

/** The app tidies up by itself in the background, in another order of tables: then one of the two has to try again. */
async function emptyTables(database: Database, attempts = 5): Promise<void> {
  try {
    await database.db.execute(
      sql`truncate users, sessions, agents, conversations, messages, idempotency_keys cascade`,
    );
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    const isDeadlock = cause instanceof Error && 'code' in cause && cause.code === DEADLOCK;
    if (!isDeadlock || attempts <= 1) throw error;
    await emptyTables(database, attempts - 1);
  }
}
