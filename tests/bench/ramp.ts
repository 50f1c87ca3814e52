import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { clipsOf } from '../speech/speech-set.ts';
import { figure } from './figures.ts';
import { type Ramp, type RampStep, rampChart } from './ramp.chart.ts';
import { SpokenCall } from './speaking.call.ts';
import { type BenchCall, startCall } from './turn-latency.ts';
import { startServer } from './turn-server.start.ts';

/** One person's load on the server until `until`, by `performance.now()`. */
interface Person {
  /** @returns milliseconds of each turn; null: refused, or not answered */
  talk(until: number): Promise<(number | null)[]>;
  leave(): void;
}

const STEP_MS = { typed: 20_000, spoken: 40_000 };
/**
 * Pause from an answer to the next message of a typing person, and to the next question of a speaking one, who hears it
 * out.
 */
const PAUSE_MS = { typed: { least: 4_000, more: 8_000 }, spoken: { least: 4_000, more: 4_000 } };
/** People start a few at a time. */
const AT_ONCE = 10;
const REFUSED_SHARE = 0.01;

/**
 * How many people at once this machine serves before it misses its target: typing, answered as text and with the voice
 * on, and speaking. One server; the clients run on the same cores. Writes JSON and a chart.
 * @param folder of the output; by default a new one among the system's temporary files
 */
export async function benchRamp(folder?: string): Promise<void> {
  const to = folder ?? (await mkdtemp(join(tmpdir(), 'sigma-ramp-')));
  // Checks this before ten minutes of measuring.
  await mkdir(to, { recursive: true });
  const ramps = [
    await ramp(
      'typed',
      'whole text, voice off, a message every 8 s',
      1_500,
      [25, 50, 100, 200, 400, 800],
      (url) => typing(url, false),
    ),
    await ramp('typed, voice on', 'whole text, a message every 8 s', 1_500, [10, 25, 50, 100, 200], (url) =>
      typing(url, true),
    ),
    await ramp(
      'spoken',
      'end of speech to first sound, a question every 10 s',
      2_000,
      [1, 2, 4, 6, 8, 12],
      speaking,
    ),
  ];
  const machine = {
    processor: cpus()[0]?.model ?? '',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: process.platform,
  };
  await writeFile(join(to, 'ramp.json'), `${JSON.stringify({ machine, ramps }, null, 2)}\n`);
  for (const one of ramps)
    await writeFile(join(to, `ramp-${one.name.replaceAll(/\W+/g, '-')}.svg`), rampChart(one));
  console.log(`\nramp.json and a chart of each are in ${to}`);
}

async function ramp(
  name: string,
  what: string,
  targetMs: number,
  counts: readonly number[],
  come: (url: string) => Promise<Person>,
): Promise<Ramp> {
  console.log(`\n${name}: ${what}, at most ${targetMs} ms (p95)`);
  const server = await startServer();
  const people: Person[] = [];
  const done: Ramp = { name, what, targetMs, holds: 0, steps: [] };
  try {
    for (const count of counts) {
      let turnedAway = 0;
      for (let left = count - people.length; left > 0; left -= AT_ONCE) {
        const coming = Array.from({ length: Math.min(left, AT_ONCE) }, () => come(server.url));
        for (const who of await Promise.allSettled(coming))
          if (who.status === 'fulfilled') people.push(who.value);
          else turnedAway++;
      }
      const before = processorTime();
      const until = performance.now() + (name === 'spoken' ? STEP_MS.spoken : STEP_MS.typed);
      const turns = (await Promise.all(people.map((person) => person.talk(until)))).flat();
      const step = { ...stepOf(count, turns, turnedAway), busy: busySince(before) };
      done.steps.push(step);
      tell(step);
      if (!holdsTarget(step, targetMs)) break;
      done.holds = count;
    }
  } finally {
    for (const person of people) person.leave();
    await server.close();
  }
  return done;
}

function stepOf(
  people: number,
  turns: readonly (number | null)[],
  turnedAway: number,
): Omit<RampStep, 'busy'> {
  const answered = turns.filter((ms) => ms !== null).sort((a, b) => a - b);
  const at = (share: number) => answered[Math.max(0, Math.ceil(share * answered.length) - 1)] ?? null;
  return {
    people,
    turns: turns.length,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    refused: turns.length - answered.length + turnedAway,
  };
}

const holdsTarget = ({ turns, p95Ms, refused }: RampStep, targetMs: number) =>
  p95Ms !== null && p95Ms <= targetMs && refused <= REFUSED_SHARE * turns;

const rounded = (ms: number | null) => (ms === null ? '–' : `${Math.round(ms)} ms`);

const tell = ({ people, turns, p50Ms, p95Ms, refused, busy }: RampStep) =>
  figure(
    `${people} people, ${turns} turns`,
    `p50 ${rounded(p50Ms)}   p95 ${rounded(p95Ms)}   refused ${refused}   ${Math.round(busy * 100)} % of all cores`,
  );

let asked = 0;

async function typing(url: string, voice: boolean): Promise<Person> {
  const call: BenchCall = await startCall(url);
  return {
    async talk(until) {
      const times: (number | null)[] = [];
      await pause(Math.random() * PAUSE_MS.typed.more);
      while (performance.now() < until) {
        times.push(
          await call.turn(asked++, voice).then(
            ({ responseMs }) => responseMs,
            () => null,
          ),
        );
        await pause(breath(PAUSE_MS.typed));
      }
      return times;
    },
    leave: () => call.close(),
  };
}

async function speaking(url: string): Promise<Person> {
  const call = await SpokenCall.start(url);
  const clips = clipsOf('sentence', 'held-out').filter(({ person }) => !person);
  return {
    async talk(until) {
      const times: (number | null)[] = [];
      await pause(Math.random() * PAUSE_MS.spoken.more);
      while (performance.now() < until) {
        const clip = clips[asked++ % clips.length];
        if (!clip) throw new Error('The speech set has no sentences.');
        times.push((await call.ask(clip)).audioMs);
        await pause(breath(PAUSE_MS.spoken));
      }
      return times;
    },
    leave: () => call.hangUp(),
  };
}

const breath = ({ least, more }: { least: number; more: number }) => least + Math.random() * more;

function processorTime() {
  const times = cpus().map((core) => core.times);
  const all = times.flatMap((each) => Object.values(each)).reduce((sum, ms) => sum + ms, 0);
  return { all, idle: times.reduce((sum, { idle }) => sum + idle, 0) };
}

function busySince(before: ReturnType<typeof processorTime>): number {
  const now = processorTime();
  return 1 - (now.idle - before.idle) / Math.max(1, now.all - before.all);
}
