import { monitorEventLoopDelay } from 'node:perf_hooks';
import { durationMs, type Sound } from '#server/audio/sound';
import { createMp3Encoder } from '#server/engines/encoding/mp3';
import type { SynthesisEngine } from '#server/engines/synthesis/contract';
import { createSynthesis } from '#server/engines/synthesis/index';
import { createWeights } from '#server/engines/weights/index';
import { readConfig } from '#server/settings/config';
import { engineReady } from '../support/engine-ready.ts';
import { usage } from './usage.ts';

interface SynthesisBenchOptions {
  /** Folder of the weights; MODELS_DIR by default. Fetches missing ones first. */
  modelsDir?: string;
  /** Sentences per figure; 60 by default. */
  sentences?: number;
}

const AT_ONCE = 4;
const WARM_UP = 3;

const verbs = ['check', 'change', 'track', 'place', 'cancel', 'review', 'find', 'send', 'pay', 'repeat'];
const things = [
  'blanket',
  'kettle',
  'jacket',
  'lamp',
  'table',
  'toaster',
  'pillow',
  'camera',
  'bottle',
  'basket',
];
const times = ['today', 'tonight', 'tomorrow', 'again', 'now', 'later', 'soon'];

/** Twelve words, never the same twice within 700 sentences, so that no cache answers. */
const twelveWords = (index: number) =>
  `Thanks for calling, I can help you ${verbs[index % 10]} your ${things[Math.floor(index / 10) % 10]} order ${times[Math.floor(index / 100) % 7]}.`;

/** Speaks sentences with the embedded voice and prints the times. */
export async function benchSynthesis(options: SynthesisBenchOptions = {}): Promise<void> {
  const count = options.sentences ?? 60;
  const weights = createWeights({ modelsDir: options.modelsDir ?? readConfig().modelsDir, attempts: 2 });
  await weights.ensure('voice');
  globalThis.gc?.();
  const before = await usage();
  const start = performance.now();
  const voice = createSynthesis({ weights });
  try {
    await engineReady(voice);
    const loadMs = performance.now() - start;
    const loaded = await usage();
    let next = 0;
    const speakNext = () => timeOne(voice, twelveWords(next++));
    for (let index = 0; index < WARM_UP; index++) await speakNext();

    const rested = await usage();
    const loop = monitorEventLoopDelay({ resolution: 1 });
    loop.enable();
    const alone: Spoken[] = [];
    for (let index = 0; index < count; index++) alone.push(await speakNext());
    loop.disable();
    const used = await usage();

    const together: Spoken[] = [];
    for (let index = 0; index < count; index += AT_ONCE)
      together.push(...(await Promise.all(Array.from({ length: AT_ONCE }, speakNext))));

    const encoder = createMp3Encoder();
    await encoder.warmUp();
    const encoded: { tookMs: number; durationMs: number; bytes: number }[] = [];
    for (const { first } of alone) {
      const started = performance.now();
      const { audio, durationMs } = await encoder.encode(first, 'now');
      encoded.push({ tookMs: performance.now() - started, durationMs, bytes: audio.byteLength });
    }
    await encoder.close();

    const speechMs = sum(alone.map((one) => one.durationMs));
    const wallMs = sum(alone.map((one) => one.tookMs));
    line(
      'first words of a 12-word sentence, alone',
      alone.map((one) => one.firstMs),
    );
    line(
      `first words, ${AT_ONCE} at once`,
      together.map((one) => one.firstMs),
    );
    line(
      '12-word sentence, alone',
      alone.map((one) => one.tookMs),
    );
    line(
      `12-word sentence, ${AT_ONCE} at once`,
      together.map((one) => one.tookMs),
    );
    say('speech in one sentence', `${(speechMs / count / 1_000).toFixed(2)} s`);
    line(
      'first words made an MP3, for a page',
      encoded.map((one) => one.tookMs),
    );
    const encodedMs = sum(encoded.map((one) => one.durationMs));
    const bytes = sum(encoded.map((one) => one.bytes));
    say('MP3 per second of speech', `${Math.round(bytes / (encodedMs / 1_000))} bytes`);
    say('real-time factor', (wallMs / speechMs).toFixed(3));
    say(
      'processor time per second of speech',
      `${((1_000 * (used.cpuMs - rested.cpuMs)) / speechMs).toFixed(1)} ms`,
    );
    say('longest stall of the main thread', `${(loop.max / 1e6).toFixed(1)} ms`);
    say('loading until ready', `${Math.round(loadMs)} ms`);
    say(
      'memory before, loaded, after speaking',
      [before, loaded, await usage()].map(({ residentBytes }) => megabytes(residentBytes)).join(', '),
    );
  } finally {
    await voice.close();
    await weights.close();
  }
}

interface Spoken {
  first: Sound;
  /** Until its first words were there. */
  firstMs: number;
  tookMs: number;
  durationMs: number;
}

async function timeOne(voice: SynthesisEngine, text: string): Promise<Spoken> {
  const start = performance.now();
  let first: Sound | undefined;
  let firstMs = 0;
  let spokenMs = 0;
  for await (const phrase of voice.synthesize({ text, urgency: 'first', firstWordsSoon: true })) {
    if (!first) firstMs = performance.now() - start;
    first ??= phrase;
    spokenMs += durationMs(phrase);
  }
  if (!first) throw new Error(`Nothing was spoken of "${text}".`);
  return { first, firstMs, tookMs: performance.now() - start, durationMs: spokenMs };
}

function line(what: string, times: readonly number[]): void {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0).padStart(5);
  say(what, `p50 ${at(0.5)} ms   p95 ${at(0.95)} ms   least ${at(0)} ms`);
}

const say = (what: string, figure: string) => console.log(`${what.padEnd(40)} ${figure}`);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
