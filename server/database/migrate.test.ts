import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDataDir } from '../../tests/support/fresh-data-dir.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/postgres.ts';
import { migrate } from './migrate.ts';

const migrations = new URL('./migrations/', import.meta.url);
const journal = JSON.parse(readFileSync(new URL('meta/_journal.json', migrations), 'utf8')) as {
  entries: { tag: string; when: number }[];
};

let dataDir: string;
let postgres: EmbeddedPostgres;
let client: pg.Client;
beforeAll(async () => {
  dataDir = await freshDataDir();
  postgres = await startEmbeddedPostgres({ directory: join(dataDir, 'database') });
  client = new pg.Client({ stream: () => postgres.connect() });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await postgres.close();
  await rm(dataDir, { recursive: true });
});

const tables = async () =>
  (
    await client.query(
      "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
    )
  ).rows.map(({ name }) => name);

it('brings a database of the first release to the newest schema, with what it holds', async () => {
  const newest = await tables();
  await client.query('drop schema public cascade; drop schema drizzle cascade; create schema public');
  await migrate(client);
  expect(await tables()).toEqual(newest);

  // As the first release left it: its one migration carried out and noted.
  await client.query('drop schema public cascade; create schema public');
  const [first] = journal.entries;
  await client.query(readFileSync(new URL(`${first?.tag}.sql`, migrations), 'utf8'));
  await client.query('delete from drizzle.__drizzle_migrations where created_at > $1', [first?.when]);
  await client.query(
    "insert into users (id, name, email, password_hash) values (gen_random_uuid(), 'Ada', 'ada@example.com', 'x')",
  );
  await migrate(client);
  expect(await tables()).toEqual(newest);
  expect((await client.query('select name from users')).rows).toEqual([{ name: 'Ada' }]);
});

it('does nothing the second time', async () => {
  const done = () => client.query('select count(*)::int as n from drizzle.__drizzle_migrations');
  const before = (await done()).rows;
  await migrate(client);
  expect((await done()).rows).toEqual(before);
  expect(before).toEqual([{ n: journal.entries.length }]);
});
