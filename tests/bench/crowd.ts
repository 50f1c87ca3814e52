import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { figure, percentiles, share } from './figures.ts';
import { type BenchCall, Refused, register, startCall, type TurnTimes } from './turn-latency.ts';
import { startServer } from './turn-server.start.ts';

const TYPING_AT_ONCE = 50;
const ROUNDS = 4;
const CONNECTED = 300;
const IN_CONVERSATION = 100;
const CONVERSATIONS_LAST_MS = 60_000;
/** Between an answer and the next message of the same person. */
const PAUSE_MS = { least: 4_000, more: 8_000 };
/** People start a few at a time. */
const AT_ONCE = 10;

/** Error codes at the capacity limit; `message` says so in words. */
const beyondCapacity: readonly string[] = ['unavailable', 'rate-limited'];

interface Figures {
  times: TurnTimes[];
  refused: string[];
  errors: string[];
}

/**
 * Fifty people who type at the same moment with the voice on, then three hundred of whom a hundred talk at their own
 * pace.
 */
export async function benchCrowd(): Promise<void> {
  const server = await startServer();
  const calls: BenchCall[] = [];
  const idle: Socket[] = [];
  try {
    const come = async (count: number) => {
      for (let left = count; left > 0; left -= AT_ONCE)
        calls.push(
          ...(await Promise.all(
            Array.from({ length: Math.min(left, AT_ONCE) }, () => startCall(server.url)),
          )),
        );
    };
    await come(TYPING_AT_ONCE);
    const typing: Figures = { times: [], refused: [], errors: [] };
    server.tell('watch');
    for (let round = 0; round < ROUNDS; round++)
      await Promise.all(calls.map((call, place) => say(call, round * TYPING_AT_ONCE + place, typing)));
    tell(`${TYPING_AT_ONCE} at the same moment, voice on`, typing);
    figure('event-loop delay', eventLoop(await server.eventLoop()));

    await come(IN_CONVERSATION - TYPING_AT_ONCE);
    for (let left = CONNECTED - IN_CONVERSATION; left > 0; left -= AT_ONCE)
      idle.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => connect(server.url)))));
    const talking: Figures = { times: [], refused: [], errors: [] };
    server.tell('watch');
    const until = performance.now() + CONVERSATIONS_LAST_MS;
    await Promise.all(
      calls.map(async (call, place) => {
        await pause(Math.random() * PAUSE_MS.more);
        for (let n = 1_000 * (place + 1); performance.now() < until; n++) {
          await say(call, n, talking);
          await pause(PAUSE_MS.least + Math.random() * PAUSE_MS.more);
        }
      }),
    );
    tell(`${CONNECTED} connected, ${IN_CONVERSATION} in conversation, voice on`, talking);
    figure('event-loop delay', eventLoop(await server.eventLoop()));
    const lost = idle.filter(({ connected }) => !connected).length;
    figure('connections lost', share(lost, idle.length));
  } finally {
    for (const call of calls) call.close();
    for (const socket of idle) socket.disconnect();
    await server.close();
  }
}

async function say(call: BenchCall, n: number, { times, refused, errors }: Figures): Promise<void> {
  try {
    times.push(await call.turn(n, true));
  } catch (error) {
    const isRefused = error instanceof Refused && beyondCapacity.includes(error.code);
    (isRefused ? refused : errors).push(String(error));
  }
}

function tell(what: string, { times, refused, errors }: Figures): void {
  const all = times.length + refused.length + errors.length;
  figure(what, `${all} messages, load ${loadavg()[0]?.toFixed(1)}`);
  figure('message → stored and acknowledged', percentiles(times.map(({ ackMs }) => ackMs)));
  figure('message → first sentence', percentiles(times.flatMap(({ firstTextMs }) => firstTextMs ?? [])));
  figure('message → whole text', percentiles(times.map(({ responseMs }) => responseMs)));
  figure('with sound', share(times.filter(({ firstAudioMs }) => firstAudioMs !== null).length, times.length));
  figure('refused in words', `${share(refused.length, all)} ${[...new Set(refused)].join(' ')}`);
  figure('errors', `${share(errors.length, all)} ${[...new Set(errors)].join(' ')}`);
}

const eventLoop = ({ p50Ms, p99Ms, maxMs }: { p50Ms: number; p99Ms: number; maxMs: number }) =>
  `p50 ${p50Ms.toFixed(1)} ms   p99 ${p99Ms.toFixed(1)} ms   most ${maxMs.toFixed(0)} ms`;

async function connect(url: string): Promise<Socket> {
  const { token } = await register(url);
  const socket = io(url, { auth: { token }, transports: ['websocket'], forceNew: true, reconnection: false });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}
