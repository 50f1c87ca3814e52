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

  // As the first release left it: with its one migration applied and recorded.
  await client.query('drop schema public cascade; create schema public');
  const [first] = journal.entries;
  await client.query(readFileSync(new URL(`${first?.tag}.sql`, migrations), 'utf8'));
  await client.query('delete from drizzle.__drizzle_migrations where created_at > $1', [first?.when]);
  await client.query(`
    insert into users (id, name, email, password_hash, created_at) values
      ('018f0000-0000-7000-8000-000000000001', 'Bob', 'bob@example.com', 'x', '2026-11-02T00:00:00Z'),
      ('018f0000-0000-7000-8000-000000000002', 'Ada', 'ada@example.com', 'x', '2026-11-01T00:00:00Z')
  `);
  await client.query(`
    insert into sessions (token_hash, user_id, created_at, expires_at) values
      ('used every day', '018f0000-0000-7000-8000-000000000001', '2026-11-02T00:00:00Z', '2027-01-01T00:00:00Z')
  `);
  await migrate(client);
  expect(await tables()).toEqual(newest);
  // The oldest account owns the installation, as before roles existed; each has a workspace of its own and is
  // its contact.
  const { rows: accounts } = await client.query(`
    select users.name, role, is_installation_owner, contacts.email, contacts.verified, workspaces.created_at
    from users join contacts on contacts.user_id = users.id and contacts.workspace_id = users.workspace_id
      join workspaces on workspaces.id = users.workspace_id
    order by users.name`);
  const owner = { role: 'owner', verified: true };
  expect(accounts).toEqual([
    ...[
      ['Ada', true, 'ada@example.com', '2026-11-01'] as const,
      ['Bob', false, 'bob@example.com', '2026-11-02'] as const,
    ].map(([name, ownsAll, email, day]) => ({
      ...owner,
      ...{ name, email, is_installation_owner: ownsAll, created_at: new Date(`${day}T00:00:00Z`) },
    })),
  ]);
  expect((await client.query('select distinct workspace_id from users')).rows).toHaveLength(2);
  // Existing sessions end 30 days after they began, like new ones.
  expect((await client.query('select expires_at from sessions')).rows).toEqual([
    { expires_at: new Date('2026-12-02T00:00:00Z') },
  ]);
});

it('does nothing the second time', async () => {
  const done = () => client.query('select count(*)::int as n from drizzle.__drizzle_migrations');
  const before = (await done()).rows;
  await migrate(client);
  expect((await done()).rows).toEqual(before);
  expect(before).toEqual([{ n: journal.entries.length }]);
});
