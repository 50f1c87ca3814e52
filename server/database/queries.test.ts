import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aUser } from '../../tests/factories.ts';
import { openTestDatabase, type TestDatabase } from '../../tests/support/test-database.ts';
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
