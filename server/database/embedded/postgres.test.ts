import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDataDir } from '../../../tests/support/fresh-data-dir.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './postgres.ts';

let folder: string;
let postgres: EmbeddedPostgres;
let pool: pg.Pool;
beforeAll(async () => {
  folder = await freshDataDir();
  postgres = await startEmbeddedPostgres({ directory: join(folder, 'database'), idleInTransactionMs: 300 });
  pool = new pg.Pool({ stream: () => postgres.connect(), max: 4 });
  pool.on('error', () => {});
  await pool.query('create table t (id serial primary key, body text)');
});
afterAll(async () => {
  await pool.end();
  await postgres.close();
  await rm(folder, { recursive: true });
});

/** Counts fsyncs during the work. */
async function fsyncsDuring(work: () => Promise<unknown>): Promise<number> {
  const before = await postgres.fsyncs();
  await work();
  return (await postgres.fsyncs()) - before;
}
const insert = () => pool.query("insert into t (body) values ('x')");

describe('a commit waits for the disk', () => {
  it('once for every single insert', async () => {
    const count = 50;
    const fsyncs = await fsyncsDuring(async () => {
      for (let n = 0; n < count; n++) await insert();
    });
    expect(fsyncs).toBeGreaterThanOrEqual(count);
  });

  it('once for a transaction of 300 inserts', async () => {
    await insert();
    const client = await pool.connect();
    const fsyncs = await fsyncsDuring(async () => {
      await client.query('begin');
      for (let n = 0; n < 300; n++) await client.query("insert into t (body) values ('x')");
      await client.query('commit');
    });
    client.release();
    expect(fsyncs).toBe(1);
  });

  it('and not at all to read', async () => {
    expect(await fsyncsDuring(() => pool.query('select count(*) from t'))).toBe(0);
  });

  it('as PostgreSQL itself sees it', async () => {
    const { rows } = await pool.query(
      "select current_setting('fsync') as fsync, current_setting('wal_sync_method') as method, current_setting('synchronous_commit') as commit",
    );
    expect(rows).toEqual([{ fsync: 'on', method: 'fsync', commit: 'on' }]);
  });
});

describe('sessions that share the backend', () => {
  it('never get into each other, however large what they send is', async () => {
    const large = 'x'.repeat(500_000);
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, n) =>
        n % 2
          ? (await pool.query('select $1::int as a', [n])).rows
          : (await pool.query('select $1::int as a, length($2::text) as b', [n, large])).rows,
      ),
    );
    expect(answers).toEqual(answers.map((_, n) => [n % 2 ? { a: n } : { a: n, b: 500_000 }]));
  });

  it('do not see what another one has not committed', async () => {
    const client = await pool.connect();
    await client.query('begin');
    await client.query("insert into t (body) values ('unseen')");
    const seen = pool.query("select count(*)::int as n from t where body = 'unseen'");
    await client.query('rollback');
    client.release();
    expect((await seen).rows).toEqual([{ n: 0 }]);
  });

  it('lose a transaction that its owner forgot, so that the others go on', async () => {
    const client = await pool.connect();
    client.on('error', () => {});
    await client.query('begin');
    await client.query("insert into t (body) values ('forgotten')");
    const others = await pool.query("select count(*)::int as n from t where body = 'forgotten'");
    expect(others.rows).toEqual([{ n: 0 }]);
    await expect(client.query('commit')).rejects.toThrow();
    client.release(true);
  });

  it('lose a transaction whose owner goes away', async () => {
    const client = await pool.connect();
    await client.query('begin');
    await client.query("insert into t (body) values ('gone')");
    client.release(true);
    const { rows } = await pool.query("select count(*)::int as n from t where body = 'gone'");
    expect(rows).toEqual([{ n: 0 }]);
  });

  it('are told of an error inside a transaction until they roll it back', async () => {
    const client = await pool.connect();
    await client.query('begin');
    await expect(client.query('select * from nowhere')).rejects.toMatchObject({ code: '42P01' });
    await expect(client.query('select 1')).rejects.toMatchObject({ code: '25P02' });
    await client.query('rollback');
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    client.release();
  });
});

it('does its work beside the event loop', async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 5);
  const work = pool.query('select count(*) from generate_series(1, 3000000)');
  await work;
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(0);
});

describe('a thread that stops by itself', () => {
  let mine: string;
  let log: string;
  let connections: pg.Pool;
  let again: EmbeddedPostgres;
  const restarts: string[] = [];
  const reasons: string[] = [];
  beforeAll(async () => {
    mine = await freshDataDir();
    const directory = join(mine, 'database');
    log = join(directory, 'pg_wal');
    again = await startEmbeddedPostgres({
      directory,
      restartDelaysMs: [1_000, 0],
      onRestart: (reason) => restarts.push(reason),
      onGaveUp: (reason) => reasons.push(reason),
    });
    connections = new pg.Pool({ stream: () => again.connect(), max: 2 });
    connections.on('error', () => {});
  });
  afterAll(async () => {
    await connections.end();
    await again.close().catch(() => {});
    await rm(mine, { recursive: true });
  });

  /** Removes the write-ahead log, so that PostgreSQL panics when it needs the next file. */
  async function breakIt(): Promise<void> {
    await rename(log, `${log}.away`);
    await expect(
      (async () => {
        for (let n = 0; n < 5; n++)
          await connections.query("select pg_logical_emit_message(true, 'a', 'b'), pg_switch_wal()");
      })(),
    ).rejects.toThrow('The embedded database stopped.');
  }

  it('is replaced by one that has everything that was acknowledged', async () => {
    await connections.query('create table t (n int)');
    for (let n = 0; n < 20; n++) await connections.query('insert into t values ($1)', [n]);
    await breakIt();
    await rename(`${log}.away`, log);
    await expect
      .poll(() => connections.query('select count(*)::int as n from t').then(({ rows }) => rows, String))
      .toEqual([{ n: 20 }]);
    expect(restarts).toEqual([expect.stringContaining('pg_wal')]);
  });

  it('is given up with the reason when others do no better', async () => {
    await breakIt();
    await expect.poll(() => reasons).toEqual([expect.stringContaining('pg_wal')]);
    await expect(connections.query('select 1')).rejects.toThrow('The embedded database stopped.');
  });
});
