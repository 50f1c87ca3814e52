import { rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acrossRestart } from '#server/lib/database-away';
import { freshDataDir } from '../../tests/support/fresh-data-dir.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/postgres.ts';
import { openPool } from './pool.ts';

let folder: string;
let postgres: EmbeddedPostgres;
/** Number of further connections to refuse. */
let refusals = 0;
const lines: Duplex[] = [];
let database: ReturnType<typeof openPool>;
beforeAll(async () => {
  folder = await freshDataDir();
  postgres = await startEmbeddedPostgres({ directory: join(folder, 'database') });
  const connect = () => {
    const line = refusals-- > 0 ? new Socket() : postgres.connect();
    lines.push(line);
    return line;
  };
  // Connects to a port where nothing listens.
  database = openPool({ stream: connect, host: '127.0.0.1', port: 1, max: 4 }, undefined);
});
afterAll(async () => {
  await database.close();
  await postgres.close();
  await rm(folder, { recursive: true });
});

/** Simulates a server's restart: drops connections and accepts none for a while. */
function restart(refused: number) {
  refusals = refused;
  for (const line of lines.splice(0)) line.destroy();
}

describe('a database that is restarting', () => {
  it('is waited for by who asks next', async () => {
    restart(3);
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    restart(2);
    const client = await database.pool.connect();
    expect((await client.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
    client.release();
    expect(refusals).toBeLessThan(0);
  });

  it('is told as away at once to who only wants to know', async () => {
    restart(1);
    await expect(database.ping()).rejects.toThrow();
    await database.ping();
  });

  it('is not waited for where it answers and refuses', async () => {
    await expect(database.pool.query('select nonsense')).rejects.toMatchObject({ code: '42703' });
  });
});

describe('a transaction whose connection breaks', () => {
  const reason = Object.assign(new Error('The disk is full.'), { code: '53100' });

  it.each(['while it asks', 'in between'])(
    'fails with the reason, and nothing else does: %s',
    async (when) => {
      const seen = database.db.transaction(async (tx) => {
        await tx.execute('select 1');
        const asked =
          when === 'in between' ? null : tx.execute('select count(*) from generate_series(1, 1000000)');
        for (const line of lines.splice(0)) line.destroy(reason);
        await (asked ?? pause(5));
        await tx.execute('select 2');
      });
      await expect(seen).rejects.toMatchObject({ cause: reason });
      expect((await database.pool.query('select 3 as three')).rows).toEqual([{ three: 3 }]);
    },
  );
});

describe('acrossRestart', () => {
  const away = Object.assign(new Error('terminating connection'), { code: '57P01' });
  const attempts = (...outcomes: (Error | string)[]) => {
    let asked = 0;
    return async () => {
      const outcome = outcomes[asked++];
      if (outcome instanceof Error) throw outcome;
      return outcome;
    };
  };

  it('does once more what the going away broke off', async () => {
    expect(await acrossRestart(attempts(away, 'stored'))).toBe('stored');
    const wrapped = new Error('Failed query', { cause: away });
    expect(await acrossRestart(attempts(wrapped, 'stored'))).toBe('stored');
  });

  it('tries no third time, and nothing again that failed by itself', async () => {
    await expect(acrossRestart(attempts(away, away, 'stored'))).rejects.toBe(away);
    const other = Object.assign(new Error('duplicate key'), { code: '23505' });
    await expect(acrossRestart(attempts(other, 'stored'))).rejects.toBe(other);
    const slow = new Error('Failed query', { cause: new Error('Query read timeout') });
    await expect(acrossRestart(attempts(slow, 'stored'))).rejects.toBe(slow);
  });
});
