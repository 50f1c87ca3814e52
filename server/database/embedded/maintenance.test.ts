import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDataDir } from '../../../tests/support/fresh-data-dir.ts';
import { createMaintenance } from './maintenance.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './postgres.ts';

let dataDir: string;
let postgres: EmbeddedPostgres;
let pool: pg.Pool;
beforeAll(async () => {
  dataDir = await freshDataDir();
  postgres = await startEmbeddedPostgres({ directory: join(dataDir, 'database') });
  pool = new pg.Pool({ stream: () => postgres.connect(), max: 1 });
  await pool.query('create table t (id serial primary key, n int, body text)');
});
afterAll(async () => {
  await pool.end();
  await postgres.close();
  await rm(dataDir, { recursive: true });
});

/** PostgreSQL's statistics, which it otherwise publishes only once a second. */
async function statistics() {
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query(
    "select n_dead_tup::int as dead, n_mod_since_analyze::int as changed from pg_stat_user_tables where relname = 't'",
  );
  return rows[0];
}
const statementsOfARun = async () => {
  const statements: string[] = [];
  await createMaintenance({
    query(sql) {
      statements.push(sql);
      return pool.query(sql);
    },
  }).run();
  return statements.filter((sql) => !sql.trim().startsWith('select'));
};

it('has nothing to do while nothing happens', async () => {
  await statementsOfARun();
  expect(await statementsOfARun()).toEqual([]);
});

it('removes what updates left behind', async () => {
  await pool.query("insert into t (n, body) select n, 'x' from generate_series(1, 1000) n");
  await pool.query('update t set n = n + 1');
  expect((await statistics()).dead).toBeGreaterThan(500);
  expect(await statementsOfARun()).toContain('vacuum (analyze) public.t');
  expect(await statistics()).toEqual({ dead: 0, changed: 0 });
});

it('keeps the write-ahead log small', async () => {
  const files = async () =>
    (await readdir(join(dataDir, 'database', 'pg_wal'))).filter((name) => /^[\dA-F]{24}$/.test(name)).length;
  for (let round = 0; round < 4; round++) {
    for (let n = 0; n < 40; n++)
      await pool.query("select pg_logical_emit_message(true, 'a', repeat('x', 1000000))");
    expect(await statementsOfARun()).toContain('checkpoint');
  }
  expect(await files()).toBeLessThanOrEqual(6);
});
