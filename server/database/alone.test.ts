import { afterAll, beforeAll, expect, it } from 'vitest';
import { door } from '../../tests/support/scripted-engines.ts';
import { openTestDatabase, type TestDatabase } from '../../tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

it('does work once at a time, whoever wants it done, and again when it is done', async () => {
  const [gate, begun] = [door(), door()];
  let done = 0;
  const first = database.alone('tidying', async () => {
    begun.open();
    await gate.opened;
    done++;
  });
  await begun.opened;
  expect(await database.alone('tidying', async () => void done++)).toBe(false);
  expect(await database.alone('something else', async () => void done++)).toBe(true);
  gate.open();
  expect(await first).toBe(true);
  expect(done).toBe(2);
  expect(await database.alone('tidying', async () => void done++)).toBe(true);
});

it('lets others begin after work that failed', async () => {
  await expect(
    database.alone('failing', async () => {
      throw new Error('It is away.');
    }),
  ).rejects.toThrow('It is away.');
  expect(await database.alone('failing', async () => {})).toBe(true);
});
