import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { users } from '#server/database/schema';
import { invalidInput } from '#server/lib/errors';
import { memberIn } from '#server/lib/principal';
import { aMember, aUser } from '../../../tests/factories.ts';
import { capturedLogger } from '../../../tests/support/captured-logger.ts';
import { openTestDatabase, type TestDatabase } from '../../../tests/support/test-database.ts';
import { createHttpServer } from '../server.ts';
import { addIdempotency, removeExpiredAnswers } from './hook.ts';
import { IdempotencyRepository } from './repository.ts';

const HOUR_MS = 3_600_000;
let database: TestDatabase;
let app: FastifyInstance;
let ada: string;
let bob: string;
let made: number;
let failures: number;
let hold: Promise<void>;
let clock: number;
let removeExpired: () => Promise<void>;

beforeAll(async () => {
  database = await openTestDatabase();
  app = await createHttpServer({
    config: { publicUrl: null, corsOrigins: [] },
    logger: capturedLogger().logger,
    authenticate: async (token) => memberIn({ id: token, user: aMember({ _id: token }) }),
    isAllowedOrigin: () => false,
  });
  const repository = new IdempotencyRepository(database.db);
  addIdempotency(app, repository, { now: () => clock, patienceMs: 2_000 });
  removeExpired = () => removeExpiredAnswers(repository, () => clock);
  app.post('/api/things', { config: { idempotent: true } }, async (request, reply) => {
    const { name } = z.object({ name: z.string() }).parse(request.body);
    await hold;
    if (name === 'wrong') throw invalidInput('common.not-understood');
    if (name === 'broken' && failures++ === 0) throw new Error('broken');
    return reply.code(201).send({ name, number: ++made });
  });
  app.post('/api/other', async () => ({ number: ++made }));
});
afterAll(async () => {
  await app.close();
  await database.close();
});
beforeEach(async () => {
  await database.empty();
  const [first, second] = [aUser(), aUser()];
  await database.db.insert(users).values([first, second]);
  [ada, bob] = [first.id, second.id];
  made = 0;
  failures = 0;
  hold = Promise.resolve();
  clock = Date.now();
});

const post = (user: string, key: string | null, name: string, url = '/api/things') =>
  app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${user}`, ...(key === null ? {} : { 'idempotency-key': key }) },
    body: { name },
  });

it('answers the same key and body once', async () => {
  const first = await post(ada, 'k1', 'a');
  const again = await post(ada, 'k1', 'a');
  expect(first.statusCode).toBe(201);
  expect(again.statusCode).toBe(201);
  expect(again.json()).toEqual(first.json());
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(made).toBe(1);
});

it('does nothing without a key, or on a route that creates nothing', async () => {
  await post(ada, null, 'a');
  await post(ada, null, 'a');
  await post(ada, 'k1', 'a', '/api/other');
  await post(ada, 'k1', 'a', '/api/other');
  expect(made).toBe(4);
});

it('refuses the same key with another body', async () => {
  await post(ada, 'k1', 'a');
  const other = await post(ada, 'k1', 'b');
  expect(other.statusCode).toBe(409);
  expect(other.json()).toMatchObject({ code: 'idempotency-conflict' });
});

it('keeps the keys of different users apart', async () => {
  expect((await post(ada, 'k1', 'a')).json()).toEqual({ name: 'a', number: 1 });
  expect((await post(bob, 'k1', 'a')).json()).toEqual({ name: 'a', number: 2 });
});

it('lets those that come at the same moment wait for the first one', async () => {
  let release = () => {};
  hold = new Promise((resolve) => {
    release = resolve;
  });
  const all = [post(ada, 'k1', 'a'), post(ada, 'k1', 'a'), post(ada, 'k1', 'a')];
  await sleep(50);
  release();
  const answers = await Promise.all(all);
  expect(answers.map((answer) => answer.json())).toEqual(Array(3).fill({ name: 'a', number: 1 }));
  expect(made).toBe(1);
});

it('tells a duplicate to come back when the first one takes too long', async () => {
  let release = () => {};
  hold = new Promise((resolve) => {
    release = resolve;
  });
  const first = post(ada, 'k1', 'a');
  await sleep(50);
  const duplicate = post(ada, 'k1', 'a');
  await sleep(150);
  clock += 3_000;
  expect((await duplicate).statusCode).toBe(409);
  expect((await duplicate).headers['retry-after']).toBe('1');
  release();
  expect((await first).statusCode).toBe(201);
});

it('keeps a refusal, but not a failure of ours', async () => {
  expect((await post(ada, 'k1', 'wrong')).statusCode).toBe(400);
  expect((await post(ada, 'k1', 'wrong')).headers['idempotency-replayed']).toBe('true');
  expect((await post(ada, 'k2', 'broken')).statusCode).toBe(500);
  expect((await post(ada, 'k2', 'broken')).statusCode).toBe(201);
});

it('takes over from a process that ended in the middle', async () => {
  await new IdempotencyRepository(database.db).claim(
    { userId: ada, key: 'k1', requestHash: 'of another process' },
    { now: new Date(clock - 25 * HOUR_MS), expired: new Date(0), abandoned: new Date(0) },
  );
  expect((await post(ada, 'k1', 'a')).statusCode).toBe(201);
});

it('forgets after 24 hours', async () => {
  await post(ada, 'k1', 'a');
  clock += 23 * HOUR_MS;
  await removeExpired();
  await post(ada, 'k1', 'a');
  expect(made).toBe(1);
  clock += 2 * HOUR_MS;
  await post(ada, 'k1', 'a');
  expect(made).toBe(2);
});

it.each(['', ' ', 'x'.repeat(256), 'with space'])('refuses the key %j', async (key) => {
  const response = await post(ada, key, 'a');
  expect(response.statusCode).toBe(400);
  expect(response.json().fields).toHaveProperty('idempotency-key');
});
