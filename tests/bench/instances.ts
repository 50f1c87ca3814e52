import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '../../scripts/lib/test-machine.js';
import { freePort } from '../support/free-port.ts';
import { type Program, startProgram } from '../support/programs.ts';
import { hasRedis, RedisServer } from '../support/redis-server.ts';
import { figure, percentiles, share } from './figures.ts';
import { type Exchange, InstanceCustomer } from './instances.customer.ts';
import { question } from './turn-latency.ts';

/** In conversation at once (CUSTOMERS=…), half of them at each instance. */
const CUSTOMERS = Number(process.env.CUSTOMERS ?? 100);
/** From an answer to the next message of the same person, who reads it first. */
const PAUSE_MS = { least: 10_000, more: 20_000 };
/** Each event happens in the middle of conversations that last so long. */
const LASTS_MS = 60_000;
const EVENT_AFTER_MS = 20_000;
const AWAY_MS = 20_000;
/** Whoever waits at the event, or sends within this time, is to be answered as soon. */
const ANSWERED_WITHIN_MS = 5_000;
/** Only what has this in its name. */
const EVENT = process.env.EVENT ?? '';
const AT_ONCE = 10;
const STOPS_WITHIN_MS = 25_000;

/**
 * Two instances on one PostgreSQL and one Redis server, a hundred people in conversation who type, and in their midst: nothing,
 * one instance killed, Redis away for 20 s, PostgreSQL restarted, both instances upgraded one after the other. What was lost,
 * answered twice or refused is counted from what is stored. Instances, services and customers share this machine.
 */
export async function benchInstances(): Promise<void> {
  if (!hasRedis) return console.log('Left out: there is no Redis or Valkey server on this machine.');
  const scratch = mkdtempSync(join(tmpdir(), 'sigma-instances-'));
  const postgres = await startPostgres(scratch);
  if (!postgres.url) return console.log('Left out: there is no PostgreSQL server on this machine.');
  const redis = await RedisServer.start();
  const ports = await Promise.all([freePort(), freePort()]);
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const running: Program[] = [];
  const start = async (n: number) => {
    const program = startProgram('server/main.ts', [], {
      PORT: String(ports[n]),
      HOST: '127.0.0.1',
      HOME: scratch,
      DATA_DIR: join(scratch, `instance-${n}`),
      MODELS_DIR: join(scratch, 'no-voice'),
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'fatal',
      npm_config_registry: 'http://127.0.0.1:9/',
    });
    running[n] = program;
    await program.until(({ stdout }) => stdout.includes('Sigma is ready'));
    while ((await fetch(`${urls[n]}/ready?for=text`).catch(() => null))?.status !== 200) await pause(100);
  };
  const kill = async (n: number, signal: NodeJS.Signals) => {
    const program = running[n];
    program?.child.kill(signal);
    await Promise.race([program?.ended, pause(STOPS_WITHIN_MS, undefined, { ref: false })]);
  };
  const events: [name: string, happens: () => Promise<unknown>][] = [
    ['nothing happens', async () => {}],
    ['one instance is killed, and started again', () => kill(0, 'SIGKILL').then(() => start(0))],
    [
      'Redis is away for 20 s, and comes back empty',
      () =>
        redis
          .kill()
          .then(() => pause(AWAY_MS))
          .then(() => redis.again()),
    ],
    ['PostgreSQL is restarted', async () => postgres.restart?.()],
    [
      'both instances are upgraded, one after the other',
      async () => {
        for (const n of [0, 1]) {
          await kill(n, 'SIGTERM');
          await start(n);
        }
      },
    ],
  ];
  const customers: InstanceCustomer[] = [];
  try {
    await start(0);
    await start(1);
    while (customers.length < CUSTOMERS)
      customers.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(AT_ONCE, CUSTOMERS - customers.length) }, (_, n) =>
            InstanceCustomer.come(urls, n % 2),
          ),
        )),
      );
    const told = new Set<string>();
    for (const [name, happens] of events.filter(([name]) => name.includes(EVENT))) {
      const [happenedAt, took] = await converse(customers, happens);
      await report(name, customers, happenedAt, took, told);
    }
  } finally {
    for (const customer of customers) customer.leave();
    await Promise.all([kill(0, 'SIGKILL'), kill(1, 'SIGKILL')]);
    await redis.kill();
    await postgres.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** @returns when the event began, by `performance.now()`, and how long it took in milliseconds */
async function converse(
  customers: readonly InstanceCustomer[],
  happens: () => Promise<unknown>,
): Promise<[happenedAt: number, tookMs: number]> {
  const until = performance.now() + LASTS_MS;
  for (const customer of customers) {
    customer.exchanges.length = 0;
    customer.timesMoved = 0;
  }
  const talking = customers.map(async (customer, place) => {
    await pause(Math.random() * (PAUSE_MS.least + PAUSE_MS.more / 2));
    for (let n = place; performance.now() < until; n += 3) {
      await customer.say(question(n));
      await pause(PAUSE_MS.least + Math.random() * PAUSE_MS.more);
    }
  });
  await pause(EVENT_AFTER_MS);
  const happenedAt = performance.now();
  await happens();
  const tookMs = performance.now() - happenedAt;
  await Promise.all(talking);
  return [happenedAt, tookMs];
}

async function report(
  name: string,
  customers: readonly InstanceCustomer[],
  happenedAt: number,
  tookMs: number,
  told: Set<string>,
): Promise<void> {
  const exchanges = customers.flatMap((customer) => customer.exchanges);
  const times = (some: readonly Exchange[]) => percentiles(some.map(({ answeredMs }) => answeredMs));
  const inItsMidst = exchanges.filter(
    ({ sentAt, answeredMs }) =>
      sentAt + answeredMs > happenedAt && sentAt < happenedAt + Math.max(tookMs, ANSWERED_WITHIN_MS),
  );
  const late = inItsMidst.filter(({ answeredMs }) => answeredMs > ANSWERED_WITHIN_MS).length;
  const refusals = exchanges.flatMap(({ refusal }) => refusal ?? []);
  const problems: string[] = [];
  for (const [place, customer] of customers.entries())
    problems.push(...(await customer.problems()).map((problem) => `${place}: ${problem}`));
  const fresh = problems.filter((problem) => !told.has(problem));
  for (const problem of fresh) told.add(problem);

  figure(`\n${name}`, `took ${(tookMs / 1_000).toFixed(1)} s, load ${loadavg()[0]?.toFixed(1)}`);
  figure('message → whole answer', `${times(exchanges)}   (${exchanges.length})`);
  figure('– of those sent or waiting in its midst', `${times(inItsMidst)}   (${inItsMidst.length})`);
  figure('– – later than 5 s', share(late, inItsMidst.length));
  figure(
    'moved to another instance',
    `${customers.reduce((sum, { timesMoved }) => sum + timesMoved, 0)} times`,
  );
  figure('refused', `${share(refusals.length, exchanges.length)} ${[...new Set(refusals)].join(' ')}`);
  figure('lost, or answered twice', `${fresh.length} ${fresh.slice(0, 3).join('; ')}`);
}
