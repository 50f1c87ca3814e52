import { loadavg } from 'node:os';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { figure, percentiles, share } from './figures.ts';
import { type Exchange, InstanceCustomer } from './instances.customer.ts';
import { ANSWERED_WITHIN_MS } from './instances.midst.ts';
import { InstancePair, modelsOrNothing, wanted } from './instances.pair.ts';
import { InstanceSpeaker } from './instances.speaker.ts';
import { reportSpoken, speakOn } from './instances.spoken.ts';
import { question } from './turn-latency.ts';

/** Simultaneous conversations (CUSTOMERS=…), half of them at each instance. */
const CUSTOMERS = Number(process.env.CUSTOMERS ?? 100);
/** Additional speakers (SPEAKING=…). */
const SPEAKING = Number(process.env.SPEAKING ?? 4);
/** From an answer to the next message of the same person, who reads it first. */
const PAUSE_MS = { least: 10_000, more: 20_000 };
/** Each event happens in the middle of conversations of this length. */
const LASTS_MS = 60_000;
const EVENT_AFTER_MS = 20_000;
const AT_ONCE = 10;

/** An event's beginning, by `performance.now()`, and its duration in milliseconds. */
interface Happened {
  happenedAt: number;
  tookMs: number;
}

/**
 * Two instances on one PostgreSQL and one Redis server, with a hundred typing customers and a few speakers, during
 * events: none, one instance killed, Redis away for 20 s, PostgreSQL restarted, both instances upgraded one after
 * another. Counts lost, doubly answered and refused messages from the database. Instances, services and customers share
 * this machine.
 */
export async function benchInstances(): Promise<void> {
  const modelsDir = SPEAKING > 0 ? modelsOrNothing() : null;
  const pair = await InstancePair.start({ modelsDir });
  if (!pair) return;
  const customers: InstanceCustomer[] = [];
  const speakers: InstanceSpeaker[] = [];
  try {
    while (customers.length < CUSTOMERS)
      customers.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(AT_ONCE, CUSTOMERS - customers.length) }, (_, n) =>
            InstanceCustomer.come(pair.urls, n % 2),
          ),
        )),
      );
    for (let n = 0; modelsDir !== null && n < SPEAKING; n++)
      speakers.push(await InstanceSpeaker.come(pair.urls, n % 2));
    const told = new Set<string>();
    for (const { name, happens } of wanted(pair.events)) {
      const happened = await converse(customers, speakers, happens);
      figure(`\n${name}`, `took ${(happened.tookMs / 1_000).toFixed(1)} s, load ${loadavg()[0]?.toFixed(1)}`);
      if (customers.length > 0) await reportTyped(customers, happened, told);
      if (speakers.length > 0) await reportSpoken(speakers, happened);
      const all = [...customers, ...speakers];
      const timesMoved = all.reduce((sum, one) => sum + one.timesMoved, 0);
      figure('moved to another instance', `${timesMoved} times`);
    }
  } finally {
    for (const one of [...customers, ...speakers]) one.leave();
    await pair.end();
  }
}

async function converse(
  customers: readonly InstanceCustomer[],
  speakers: readonly InstanceSpeaker[],
  happens: () => Promise<unknown>,
): Promise<Happened> {
  const began = performance.now();
  const until = began + LASTS_MS;
  for (const one of [...customers, ...speakers]) one.startAfresh();
  const typing = customers.map(async (customer, place) => {
    await pause(Math.random() * (PAUSE_MS.least + PAUSE_MS.more / 2));
    for (let n = place; performance.now() < until; n += 3) {
      await customer.say(question(n));
      await pause(PAUSE_MS.least + Math.random() * PAUSE_MS.more);
    }
  });
  const speaking = speakOn(speakers, { happensAt: began + EVENT_AFTER_MS, until });
  await pause(EVENT_AFTER_MS);
  const happenedAt = performance.now();
  await happens();
  const tookMs = performance.now() - happenedAt;
  await Promise.all([...typing, speaking]);
  return { happenedAt, tookMs };
}

async function reportTyped(
  customers: readonly InstanceCustomer[],
  { happenedAt, tookMs }: Happened,
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

  figure('message → whole answer', `${times(exchanges)}   (${exchanges.length})`);
  figure('– of those sent or waiting in its midst', `${times(inItsMidst)}   (${inItsMidst.length})`);
  figure('– – later than 5 s', share(late, inItsMidst.length));
  figure('refused', `${share(refusals.length, exchanges.length)} ${[...new Set(refusals)].join(' ')}`);
  figure('lost, or answered twice', `${fresh.length} ${fresh.slice(0, 3).join('; ')}`);
}
