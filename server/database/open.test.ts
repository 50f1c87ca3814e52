import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, inArray } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aUser } from '../../tests/factories.ts';
import { startProgram } from '../../tests/support/programs.ts';
import { freshDataDir, openTestDatabase, type TestDatabase } from '../../tests/support/test-database.ts';
import { openDatabase } from './open.ts';
import { users } from './schema.ts';

describe('an open database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  it('stores a row and reads it again', async () => {
    const user = aUser({ name: 'Ada' });
    await database.db.insert(users).values(user);
    const [found] = await database.db.select().from(users).where(eq(users.id, user.id));
    expect(found).toMatchObject({ ...user, createdAt: expect.any(Date) });
  });

  it('keeps concurrent queries of different sessions apart', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const { rows } = await database.pool.query(
          n % 2 ? 'select $1::int as a' : 'select $1::int as a, $2::text as b',
          n % 2 ? [n] : [n, 'b'],
        );
        return rows[0];
      }),
    );
    expect(answers).toEqual(answers.map((_, n) => (n % 2 ? { a: n } : { a: n, b: 'b' })));
  });

  it('answers a failed statement with its error and goes on', async () => {
    await expect(database.pool.query('select nothing from nowhere')).rejects.toMatchObject({ code: '42P01' });
    await expect(database.ping()).resolves.toBeUndefined();
  });

  it('rolls a failed transaction back', async () => {
    const user = aUser();
    await expect(
      database.db.transaction(async (tx) => {
        await tx.insert(users).values(user);
        throw new Error('stop');
      }),
    ).rejects.toThrow('stop');
    expect(await database.db.select().from(users).where(eq(users.id, user.id))).toEqual([]);
  });

  it('keeps text of every script, and times to the millisecond', async () => {
    const user = aUser({
      name: 'Zoë Ελένη 陳 🦄 \\ \' " %',
      createdAt: new Date('2026-11-20T09:00:00.123Z'),
    });
    await database.db.insert(users).values(user);
    expect(await database.db.select().from(users).where(eq(users.id, user.id))).toMatchObject([user]);
  });
});

describe('the embedded database', () => {
  it('has after a restart what it had before', async () => {
    const dataDir = await freshDataDir();
    const user = aUser();
    const first = await openDatabase({ dataDir, databaseUrl: null });
    await first.db.insert(users).values(user);
    await first.close();
    expect(await readdir(dataDir)).toEqual(['database']);
    const second = await openDatabase({ dataDir, databaseUrl: null });
    expect(await second.db.select({ id: users.id }).from(users)).toEqual([{ id: user.id }]);
    await second.close();
    await rm(dataDir, { recursive: true });
  });

  it('is opened by one process at a time', async () => {
    const dataDir = await freshDataDir();
    const database = await openDatabase({ dataDir, databaseUrl: null });
    await expect(openDatabase({ dataDir, databaseUrl: null })).rejects.toThrow(
      /^The data directory .* is in use by another Sigma \(process \d+\): stop that one, or give this one/,
    );
    await database.ping();
    await database.close();
    await rm(dataDir, { recursive: true });
  });

  it('loses no acknowledged row when its process is killed while it inserts', {
    timeout: 90_000,
  }, async () => {
    const dataDir = await freshDataDir();
    const acknowledged = new Set<string>();
    for (const rows of [50, 400]) {
      const before = acknowledged.size;
      const program = startProgram('tests/support/endless-inserts.ts', [dataDir]);
      await program.until(({ stdout }) => stdout.split('\n').length > rows);
      program.child.kill('SIGKILL');
      await program.ended;
      for (const id of program.output().stdout.split('\n').slice(0, -1)) acknowledged.add(id);
      expect(acknowledged.size).toBeGreaterThanOrEqual(before + rows);
    }
    const database = await openDatabase({ dataDir, databaseUrl: null });
    const kept = await database.db
      .select({ id: users.id })
      .from(users)
      .where(inArray(users.id, [...acknowledged]));
    expect(kept).toHaveLength(acknowledged.size);
    await database.close();
    await rm(dataDir, { recursive: true });
  });

  it('says in one sentence why it cannot be opened', async () => {
    const dataDir = await freshDataDir();
    await rm(join(dataDir, 'database', 'global'), { recursive: true });
    await expect(openDatabase({ dataDir, databaseUrl: null })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/^The database in .* cannot be opened: .*global.*\.$/),
    });
    expect(await readdir(dataDir)).toEqual(['database']);
    await rm(dataDir, { recursive: true });
  });

  it('says in one sentence that its directory cannot be used', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sigma-data-'));
    await writeFile(join(folder, 'a-file'), '');
    const dataDir = join(folder, 'a-file', 'data');
    await expect(openDatabase({ dataDir, databaseUrl: null })).rejects.toMatchObject({
      name: 'StartError',
      message: `The data directory ${dataDir} (DATA_DIR) cannot be used: a part of its path is a file.`,
    });
    await rm(folder, { recursive: true });
  });
});

describe.runIf(process.env.SIGMA_TEST_DATABASE_URL)('a PostgreSQL server', () => {
  it('is brought to the newest schema by instances that start at the same moment', async () => {
    const owner = await openTestDatabase();
    const name = `sigma_test_twins_${Date.now()}`;
    await owner.pool.query(`create database ${name}`);
    const url = new URL(process.env.SIGMA_TEST_DATABASE_URL ?? '');
    url.pathname = `/${name}`;
    const twins = await Promise.all(
      [1, 2, 3].map(() => openDatabase({ dataDir: '/nowhere', databaseUrl: url.href })),
    );
    await twins[0]?.db.insert(users).values(aUser());
    expect(await twins[1]?.db.select().from(users)).toHaveLength(1);
    for (const twin of twins) await twin.close();
    await owner.pool.query(`drop database ${name}`);
    await owner.close();
  });
});

describe('a PostgreSQL server that cannot be used', () => {
  it('stops the start with a sentence that holds no password', async () => {
    const databaseUrl = 'postgresql://sigma:hunter2@127.0.0.1:9/care?sslmode=disable';
    await expect(openDatabase({ dataDir: '/nowhere', databaseUrl })).rejects.toMatchObject({
      name: 'StartError',
      message:
        'The database postgresql://sigma@127.0.0.1:9/care (DATABASE_URL) cannot be used: nothing listens at that address.',
    });
  });

  it.runIf(process.env.SIGMA_TEST_DATABASE_URL).each([
    [
      'another database',
      (url: URL) => {
        url.pathname = '/no_such_database';
      },
      'there is no database of that name',
    ],
    [
      'another user',
      (url: URL) => {
        url.username = `nobody_${uuidv7()}`;
        url.password = 'hunter2';
      },
      'it refuses this user',
    ],
  ])('says what is wrong: %s', async (_what, change, reason) => {
    const url = new URL(process.env.SIGMA_TEST_DATABASE_URL ?? '');
    change(url);
    await expect(openDatabase({ dataDir: '/nowhere', databaseUrl: url.href })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringContaining(reason),
    });
  });
});
