import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildLiveKit } from '../../scripts/lib/test-machine.js';
import { startLiveKit } from '../support/room-servers.ts';
import { figure, percentiles } from './figures.ts';
import { reportSpokenWaits } from './instances.midst.ts';
import { type InstanceEvent, InstancePair, modelsOrNothing, wanted } from './instances.pair.ts';
import { InstanceRoom } from './instances.room.ts';
import { aQuestion } from './instances.spoken.ts';

/** Each with a customer and the agent; the first instance sends the first room's agent, the second the second's. */
const ROOMS = 2;
const PAUSE_MS = { least: 6_000, more: 6_000 };
const LASTS_MS = 60_000;
const EVENT_AFTER_MS = 25_000;
/**
 * Before the event, the first customer begins a question this many milliseconds earlier; the second is being answered.
 */
const BEGINS_BEFORE_MS = [800, 4_500];

/**
 * Two rooms on one LiveKit server, each with a customer who asks and an agent sent by one of two instances, during
 * events of the instances, their shared services, and restarts of LiveKit itself. It has no webhook here. Everything
 * shares this machine.
 */
export async function benchInstancesInRooms(): Promise<void> {
  const cache = fileURLToPath(new URL('../../.cache', import.meta.url));
  const modelsDir = modelsOrNothing();
  const built = buildLiveKit(cache);
  if (built.path === null) return console.log(`Left out: there is no LiveKit server, ${built.reason}`);
  if (modelsDir === null) return;
  const livekit = await startLiveKit(built.path);
  const env = {
    LIVEKIT_URL: livekit.url,
    LIVEKIT_API_KEY: livekit.apiKey,
    LIVEKIT_API_SECRET: livekit.apiSecret,
  };
  const pair = await InstancePair.start({ modelsDir, env });
  const rooms: InstanceRoom[] = [];
  try {
    if (!pair) return;
    for (let n = 0; n < ROOMS; n++) rooms.push(await InstanceRoom.enter(pair.urls, n));
    const restart: InstanceEvent = {
      name: 'LiveKit is killed, and started again',
      happens: () => livekit.restart(),
    };
    for (const { name, happens } of wanted([...pair.events, restart])) {
      const { happenedAt, tookMs } = await talk(rooms, happens);
      figure(`\n${name}`, `took ${(tookMs / 1_000).toFixed(1)} s, load ${loadavg()[0]?.toFixed(1)}`);
      await report(rooms, { happenedAt, tookMs });
    }
  } finally {
    await Promise.all(rooms.map((room) => room.leave()));
    await pair?.end();
    await livekit.stop();
  }
}

/** @returns the time of the event, in milliseconds since 1970, and its duration */
async function talk(rooms: readonly InstanceRoom[], happens: () => Promise<unknown>) {
  for (const room of rooms) room.startAfresh();
  const happensAt = Date.now() + EVENT_AFTER_MS;
  const until = happensAt - EVENT_AFTER_MS + LASTS_MS;
  const talking = rooms.map(async (room, place) => {
    await room.ask(aQuestion(place));
    await pause(Math.max(0, happensAt - (BEGINS_BEFORE_MS[place] ?? 0) - Date.now()));
    for (let n = place + ROOMS; Date.now() < until; n += ROOMS) {
      await room.ask(aQuestion(n));
      await pause(PAUSE_MS.least + Math.random() * PAUSE_MS.more);
    }
  });
  await pause(happensAt - Date.now());
  const happenedAt = Date.now();
  await happens();
  const tookMs = Date.now() - happenedAt;
  await Promise.all(talking);
  return { happenedAt, tookMs };
}

async function report(
  rooms: readonly InstanceRoom[],
  happened: { happenedAt: number; tookMs: number },
): Promise<void> {
  const exchanges = rooms.flatMap((room) => room.exchanges);
  const answered = exchanges.filter(({ answeredAt }) => answeredAt !== null).length;
  const back = rooms.flatMap((room) => {
    const at = room.listenedAgainAt(happened.happenedAt);
    return at === null ? [] : at - happened.happenedAt;
  });
  const missing: string[] = [];
  const records: number[] = [];
  for (const room of rooms) {
    const stored = await room.records();
    records.push(stored.length);
    const contents = stored.flat().map(({ content }) => content);
    missing.push(...room.takeUnderstood().filter((text) => !contents.includes(text)));
  }
  const said = exchanges.reduce((sum, { timesSaid }) => sum + timesSaid, 0);
  figure('asked, said, answered', `${exchanges.length}, ${said} times, ${answered}`);
  reportSpokenWaits(exchanges, happened);
  figure('an agent listens again, after', percentiles(back));
  figure(
    'let go by the room, and came back',
    `${rooms.reduce((sum, { timesOut }) => sum + timesOut, 0)} times`,
  );
  figure('told as understood and not stored', `${missing.length} ${missing.join('; ')}`);
  figure('records of each', records.join(', '));
}
