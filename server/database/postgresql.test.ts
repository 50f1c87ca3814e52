import process from 'node:process';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { aUser } from '../../tests/factories.ts';
import { openTestDatabase } from '../../tests/support/test-database.ts';
import { openDatabase } from './open.ts';
import { users } from './schema.ts';

const server = process.env.SIGMA_TEST_DATABASE_URL;

describe.skipIf(!server)('a PostgreSQL server (skipped where there is none)', () => {
  it('is brought to the newest schema by instances that start at the same moment', async () => {
    const owner = await openTestDatabase();
    const name = `sigma_test_twins_${Date.now()}`;
    await owner.pool.query(`create database ${name}`);
    const url = new URL(server ?? '');
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

  it.each([
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
  ])('says what is wrong when it cannot be used: %s', async (_what, change, reason) => {
    const url = new URL(server ?? '');
    change(url);
    await expect(openDatabase({ dataDir: '/nowhere', databaseUrl: url.href })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringContaining(reason),
    });
  });
});
