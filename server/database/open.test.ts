import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../tests/support/test-database.ts';
import { users } from './schema.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

it('stores a row and reads it again', async () => {
  const id = uuidv7();
  await database.db.insert(users).values({ id, name: 'Ada', email: 'ada@example.com', passwordHash: 'x' });
  const [found] = await database.db.select().from(users).where(eq(users.id, id));
  expect(found).toMatchObject({ id, name: 'Ada', createdAt: expect.any(Date) });
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
  await expect(
    database.db.transaction(async (tx) => {
      await tx.insert(users).values({ id: uuidv7(), name: 'B', email: 'b@example.com', passwordHash: 'x' });
      throw new Error('stop');
    }),
  ).rejects.toThrow('stop');
  expect(await database.db.select().from(users).where(eq(users.email, 'b@example.com'))).toEqual([]);
});
