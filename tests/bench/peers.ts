import { cpus, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildLiveKit, installPeers } from '../../scripts/lib/test-machine.js';
import { type Clip, clipsOf } from '../speech/speech-set.ts';
import { startLiveKit } from '../support/room-servers.ts';
import { now } from './peers/clock.ts';
import { livekitAgents } from './peers/livekit.ts';
import { oursAsDelivered, oursInRoom, oursOnServices } from './peers/ours.ts';
import { pipecat } from './peers/pipecat.ts';
import { isEarly, reportTurns } from './peers/report.ts';
import { type Services, startServices } from './peers/services.ts';
import type { Answered, MeasuredSystem, RunningSystem } from './peers/system.ts';

const CALLS_AT_ONCE = 4;
/** Each is asked so many times in turn, in new calls. */
const BLOCKS = 3;
/** Longest wait for processes that the previous system leaves running. */
const CALM_WITHIN_MS = 60_000;
/** Share of the processor in use that counts as calm. */
const CALM = 0.1;
/** The longest that an answer and its end take. */
const ANSWERED_AGAIN_MS = 8_000;

interface PeersOptions {
  /** Per figure. */
  questions?: number;
  /** `page` or `room`: only the systems of this channel. */
  channel?: string | undefined;
  /** Counts answers into a thinking pause instead. */
  pauses?: boolean;
}

/**
 * Measures a spoken turn of the product and of equivalents built with Pipecat or LiveKit Agents, in turn, so that none
 * has the quieter machine: the same questions, the same ears and voice (our speech server, one for each), an immediate
 * answer of twelve words in place of a language model, and each one's own voice activity and turn detection.
 */
export async function benchPeers({
  questions = 18,
  channel,
  pauses = false,
}: PeersOptions = {}): Promise<void> {
  const cache = fileURLToPath(new URL('../../.cache', import.meta.url));
  const { python, ...found } = installPeers(cache);
  const livekit = channel === 'page' ? null : buildLiveKit(cache);
  // One for each: an agent of theirs comes into every room of its server.
  const [rooms, theirs] = livekit?.path
    ? [await startLiveKit(livekit.path), await startLiveKit(livekit.path)]
    : [null, null];
  if ('reason' in found) console.log(`Pipecat and LiveKit Agents could not be installed: ${found.reason}`);
  if (livekit && !rooms && 'reason' in livekit) console.log(`There is no LiveKit server: ${livekit.reason}`);
  const systems = [
    oursAsDelivered,
    oursOnServices,
    ...(python ? [pipecat(python)] : []),
    ...(rooms ? [oursInRoom(rooms)] : []),
    ...(theirs && python ? [livekitAgents(python, theirs)] : []),
  ].filter((system) => channel === undefined || system.channel === channel);
  const measured: Measured[] = [];
  try {
    for (const system of systems) measured.push(await Measured.start(system));
    for (let block = 0; block < BLOCKS; block++)
      for (const one of measured)
        await one.ask(pauses ? 'pause' : 'sentence', block, Math.ceil(questions / BLOCKS));
    for (const one of measured) one.report();
  } finally {
    for (const one of measured) await one.close();
    await rooms?.stop();
    await theirs?.stop();
  }
}

/** A running system, and its answers so far. */
class Measured {
  readonly system: MeasuredSystem;
  readonly #services: Services;
  readonly #running: RunningSystem;
  readonly #one: Answered[] = [];
  readonly #many: Answered[] = [];
  readonly #loads: number[] = [];

  private constructor(system: MeasuredSystem, services: Services, running: RunningSystem) {
    this.system = system;
    this.#services = services;
    this.#running = running;
  }

  static async start(system: MeasuredSystem): Promise<Measured> {
    const services = await startServices();
    return new Measured(system, services, await system.start(services, CALLS_AT_ONCE));
  }

  /** @param block the number of the block */
  async ask(kind: Clip['kind'], block: number, questions: number): Promise<void> {
    await calm();
    this.#loads.push(loadavg()[0] ?? 0);
    this.#one.push(...(await askedOf(this.#running, kind, 1, block, questions)));
    if (kind === 'sentence')
      this.#many.push(...(await askedOf(this.#running, kind, CALLS_AT_ONCE, block, questions)));
  }

  report(): void {
    console.log(
      `\n${this.system.name} (load ${this.#loads.map((load) => load.toFixed(1)).join(', ')})\none call`,
    );
    reportTurns(this.#one, this.system.usesServices ? this.#services.passed : null);
    if (this.#many.length === 0) return;
    console.log(`${CALLS_AT_ONCE} calls that speak at the same moment`);
    reportTurns(this.#many, null);
  }

  async close(): Promise<void> {
    await this.#running.close();
    await this.#services.close();
  }
}

/** Resolves once hardly anything runs, or after the longest wait. */
async function calm(): Promise<void> {
  const times = () =>
    cpus().reduce(
      ({ idle, all }, { times }) => ({
        idle: idle + times.idle,
        all: all + Object.values(times).reduce((sum, ms) => sum + ms, 0),
      }),
      { idle: 0, all: 0 },
    );
  const until = now() + CALM_WITHIN_MS;
  for (let busy = 1; busy > CALM && now() < until; ) {
    const before = times();
    await pause(2_000);
    const after = times();
    busy = 1 - (after.idle - before.idle) / Math.max(1, after.all - before.all);
  }
}

/** Everybody asks, waits for the end of the answer, asks again; the first question only warms up. */
async function askedOf(
  system: RunningSystem,
  kind: Clip['kind'],
  atOnce: number,
  block: number,
  questions: number,
): Promise<Answered[]> {
  const clips = clipsOf(kind, 'held-out').filter(({ person }) => !person);
  const clip = (n: number): Clip => {
    const chosen = clips[n % clips.length];
    if (!chosen) throw new Error('The speech set has no sentences.');
    return chosen;
  };
  const callers = await Promise.all(Array.from({ length: atOnce }, () => system.call()));
  try {
    const answers: Answered[] = [];
    const rounds = Math.ceil(questions / atOnce) + 1;
    for (let round = 0; round < rounds; round++) {
      const first = (block * rounds + round) * atOnce;
      const all = await Promise.all(callers.map((caller, place) => caller.ask(clip(first + place))));
      if (round > 0) answers.push(...all);
      // After an early answer, waits for the answer to the complete question.
      const early = all.filter(isEarly).map(({ endedAt }) => endedAt + ANSWERED_AGAIN_MS - now());
      if (early.length > 0) await pause(Math.max(0, ...early));
    }
    return answers;
  } finally {
    await Promise.all(callers.map((caller) => caller.hangUp()));
  }
}
