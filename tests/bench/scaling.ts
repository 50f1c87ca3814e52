import { setTimeout as pause } from 'node:timers/promises';
import { figure } from './figures.ts';
import { InstanceCustomer } from './instances.customer.ts';
import { InstancePair } from './instances.pair.ts';
import { question } from './turn-latency.ts';

/** Each instance's share of a processor, which leaves the rest to database, Redis and clients. */
const CORES_EACH = 0.4;
/** Typing customers at each instance, each asking again as soon as they are answered. */
const CUSTOMERS_EACH = 12;
const WARM_UP_MS = 10_000;
const LASTS_MS = 30_000;
const ROUNDS = 3;

/**
 * How many typed turns two instances serve compared with one, on the same PostgreSQL and Redis servers. On two cores,
 * instances cannot have one each beside the clients, so each gets a fixed share.
 */
export async function benchScaling(): Promise<void> {
  const pair = await InstancePair.start({ modelsDir: null, coresEach: CORES_EACH });
  if (!pair) return;
  const crowds: InstanceCustomer[][] = [];
  try {
    for (const url of pair.urls) crowds.push(await crowdOf(url));
    const [first = [], second = []] = crowds;
    await turnsOf([...first, ...second], WARM_UP_MS);
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const one = await turnsOf(first, LASTS_MS);
      const two = await turnsOf([...first, ...second], LASTS_MS);
      ratios.push(two.aSecond / one.aSecond);
      figure(
        `round ${round + 1}: one instance → two`,
        `${one.aSecond.toFixed(1)} → ${two.aSecond.toFixed(1)} turns a second, p50 ${one.p50Ms} → ${two.p50Ms} ms, ${ratios.at(-1)?.toFixed(2)} times`,
      );
    }
    figure('two of one, median', (ratios.sort((a, b) => a - b)[1] ?? 0).toFixed(2));
  } finally {
    for (const customer of crowds.flat()) customer.leave();
    await pair.end();
  }
}

async function crowdOf(url: string): Promise<InstanceCustomer[]> {
  const crowd: InstanceCustomer[] = [];
  while (crowd.length < CUSTOMERS_EACH) crowd.push(await InstanceCustomer.come([url], 0));
  return crowd;
}

async function turnsOf(
  customers: readonly InstanceCustomer[],
  lastsMs: number,
): Promise<{ aSecond: number; p50Ms: number }> {
  for (const customer of customers) customer.startAfresh();
  const until = performance.now() + lastsMs;
  await Promise.all(
    customers.map(async (customer, place) => {
      for (let n = place; performance.now() < until; n += 3) await customer.say(question(n));
    }),
  );
  const answered = customers
    .flatMap(({ exchanges }) => exchanges)
    .filter(({ refusal, sentAt, answeredMs }) => refusal === null && sentAt + answeredMs <= until);
  const times = answered.map(({ answeredMs }) => answeredMs).sort((a, b) => a - b);
  await pause(1_000);
  return {
    aSecond: (1_000 * answered.length) / lastsMs,
    p50Ms: Math.round(times[Math.floor(times.length / 2)] ?? 0),
  };
}
