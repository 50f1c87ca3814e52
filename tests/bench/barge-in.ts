import { resample } from '#server/audio/resampler';
import { createSynthesis } from '#server/engines/synthesis/index';
import { createWeights } from '#server/engines/weights/index';
import { readConfig } from '#server/settings/config';
import { openEars } from '../speech/ears.ts';
import type { AgentVoice } from '../speech/loudspeaker.ts';
import { doorSlam, fromLoudspeaker, keyClicks, mixed, pinkNoise, silence, tune } from '../speech/sounds.ts';
import { CLIP_RATE, clipsOf, type Split, soundOf } from '../speech/speech-set.ts';
import { inRoom, perform, type StageOptions, type Told } from '../speech/stage.ts';
import { spoken as speak } from '../support/spoken.ts';
import { recognitionOnTheClock } from './clock.ts';
import { figure, percentiles, share } from './figures.ts';

/** How long the agent has spoken when speech over it begins, ms. */
const INTO_REPLY_MS = 1_800;
const AGENT_FROM_MS = 500;
const AFTER_MS = 3_500;
/** From the loudspeaker back to the microphone's samples: a fast page, and a slow one with a wireless loudspeaker. */
const ECHO_DELAYS_MS = [60, 300];

/** The agent's words: its own voice, part of which the microphone picks up from the loudspeaker. */
const replies = [
  'You can return any item within thirty days, as long as it is unused and in its original packaging. We send you a label by email, and the refund is on your card within five working days.',
  'Your order left our warehouse this morning and should arrive on Thursday between nine and noon. You will get a message with a link as soon as the driver is on the way to you.',
  'I am sorry to hear that your coffee machine stopped working. It has a warranty of two years, so we repair or replace it free of charge. All I need is your order number.',
];

interface Case {
  name: string;
  sound: Float32Array;
  /** The true beginning of the sound, ms after its insertion. */
  startMs: number;
}

/**
 * Plays customers, noises and the agent's own echo over the agent, on the clock of sound. Prints how soon its voice was
 * held, what interrupted it, and its silences without cause.
 */
export async function benchBargeIn({
  modelsDir = readConfig().modelsDir,
  splits = ['dev', 'held-out'] as readonly Split[],
  latency = recognitionOnTheClock as StageOptions['latency'],
} = {}): Promise<void> {
  const voices = await speakReplies(modelsDir);
  const ears = await openEars(modelsDir);
  const play = (one: Case, index: number, echo: Echo | null) =>
    overTheAgent(one, voices[index % voices.length], index, echo, { ...ears, latency });
  try {
    for (const split of splits) {
      console.log(`\n${split}`);
      for (const echo of [null, { db: -20, delayMs: 60 }]) {
        console.log(
          echo === null ? '  headphones' : `  loudspeaker, of which the microphone hears ${echo.db} dB`,
        );
        const interruptions = await casesOf('interruption', split);
        reportInterruptions(
          interruptions,
          await inOrder(interruptions, (one, index) => play(one, index, echo)),
        );
        for (const [what, cases] of Object.entries({
          'back-channels': await casesOf('backchannel', split),
          noises: [...(await casesOf('noise', split)), ...madeNoises(split)],
        }))
          reportFalseAlarms(what, cases, await inOrder(cases, (one, index) => play(one, index, echo)));
      }
      for (const echo of [-20, -15, -10].flatMap((db) =>
        ECHO_DELAYS_MS.map((delayMs) => ({ db, delayMs })),
      )) {
        const nobody = voices.map((_, index) => ({
          name: `reply ${index + 1}`,
          sound: silence(100),
          startMs: 0,
        }));
        reportFalseAlarms(
          `the agent's own voice at ${echo.db} dB, ${echo.delayMs} ms late`,
          nobody,
          await inOrder(nobody, (one, index) => play(one, index, echo)),
        );
      }
    }
  } finally {
    await ears.close();
  }
}

/** The agent's voice in the microphone: its loudness relative to the voice itself, and its delay. */
interface Echo {
  db: number;
  delayMs: number;
}

interface SpokenReply {
  text: string;
  samples: Float32Array;
}

async function speakReplies(modelsDir: string): Promise<SpokenReply[]> {
  const weights = createWeights({ modelsDir, attempts: 2 });
  await weights.ensure('voice');
  const voice = createSynthesis({ weights });
  try {
    const spoken: SpokenReply[] = [];
    for (const text of replies) {
      const { samples, sampleRate } = await whenReady(() => speak(voice, { text, urgency: 'first' }), voice);
      spoken.push({ text, samples: resample(samples, sampleRate, CLIP_RATE) });
    }
    return spoken;
  } finally {
    await voice.close();
    await weights.close();
  }
}

async function whenReady<T>(act: () => Promise<T>, engine: { status(): { state: string; message: string } }) {
  for (;;) {
    const { state, message } = engine.status();
    if (state === 'ready') return act();
    if (state === 'failed') throw new Error(message);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function casesOf(kind: 'interruption' | 'backchannel' | 'noise', split: Split): Promise<Case[]> {
  const cases: Case[] = [];
  for (const clip of clipsOf(kind, split))
    cases.push({ name: `${clip.id} "${clip.text}"`, sound: await soundOf(clip), startMs: clip.startMs });
  return cases;
}

function madeNoises(split: Split): Case[] {
  const seed = split === 'dev' ? 1 : 50;
  return [
    { name: 'door slam', sound: doorSlam(seed), startMs: 0 },
    { name: 'loud door slam', sound: doorSlam(seed + 1, 0.98), startMs: 0 },
    { name: 'key clicks', sound: keyClicks(3_000, seed), startMs: 80 },
    { name: 'loud key clicks', sound: keyClicks(2_000, seed + 1, 0.8), startMs: 80 },
    { name: 'plucked strings', sound: tune(3_000, seed), startMs: 0 },
    { name: 'a fan', sound: pinkNoise(3_000, seed, 0.05), startMs: 0 },
  ];
}

async function overTheAgent(
  { sound, startMs }: Case,
  reply: SpokenReply | undefined,
  index: number,
  echo: Echo | null,
  options: StageOptions,
): Promise<{ told: Told[]; onsetMs: number }> {
  if (!reply) throw new Error('There is no reply to speak over.');
  const beginsMs = AGENT_FROM_MS + INTO_REPLY_MS + (index % 5) * 230;
  const durationMs = (reply.samples.length * 1_000) / CLIP_RATE;
  const room = inRoom(
    silence(0),
    0,
    Math.max(beginsMs + (sound.length * 1_000) / CLIP_RATE + AFTER_MS, durationMs + 1_500),
    index + 1,
  );
  const agent: AgentVoice = {
    text: reply.text,
    fromMs: AGENT_FROM_MS,
    durationMs,
    ...(echo === null ? {} : { leak: fromLoudspeaker(reply.samples, echo.db, echo.delayMs) }),
  };
  const told = await perform({ sound: mixed(room, sound, beginsMs), agent }, options);
  return { told, onsetMs: beginsMs + startMs };
}

type Played = { told: Told[]; onsetMs: number };

function reportInterruptions(cases: readonly Case[], played: readonly Played[]): void {
  const holds = played.map(({ told, onsetMs }) => firstAt(told, 'hold', onsetMs));
  const interrupted = played.map(({ told, onsetMs }) => firstAt(told, 'interrupt', onsetMs));
  const heard = (times: readonly (number | null)[]) => times.filter((time) => time !== null);
  figure(`    interruptions, ${cases.length}: voice held after`, percentiles(heard(holds)));
  figure('      taken as one after', percentiles(heard(interrupted)));
  figure('      missed', share(interrupted.filter((time) => time === null).length, cases.length));
  cases.forEach(({ name }, index) => {
    if (interrupted[index] === null)
      console.log(`        missed: ${name} ${texts(played[index]?.told ?? [])}`);
  });
}

function reportFalseAlarms(what: string, cases: readonly Case[], played: readonly Played[]): void {
  const interrupted = played.map(({ told }) => told.some((one) => one.what === 'interrupt'));
  const pauses = played.flatMap(({ told }) => heldFor(told));
  figure(
    `    ${what}, ${cases.length}: interrupted the agent`,
    share(interrupted.filter(Boolean).length, cases.length),
  );
  figure(
    '      held its voice for a moment',
    `${share(played.filter(({ told }) => heldFor(told).length > 0).length, cases.length)}, ${percentiles(pauses)}`,
  );
  cases.forEach(({ name }, index) => {
    if (interrupted[index]) console.log(`        interrupted: ${name} ${texts(played[index]?.told ?? [])}`);
  });
}

/** Duration of each hold that was released again, ms. */
function heldFor(told: readonly Told[]): number[] {
  const pauses: number[] = [];
  let since: number | null = null;
  for (const { what, atMs } of told) {
    if (what === 'hold') since = atMs;
    if (what === 'release' && since !== null) pauses.push(atMs - since);
    if (what === 'release' || what === 'interrupt') since = null;
  }
  return pauses;
}

/** Time of the first such event after the onset; null if there is none. A hold from before the onset is at zero. */
function firstAt(told: readonly Told[], what: Told['what'], onsetMs: number): number | null {
  const first = told.find((one) => one.what === what && one.atMs >= onsetMs - 200);
  return first ? Math.max(0, first.atMs - onsetMs) : null;
}

const texts = (told: readonly Told[]) =>
  told.flatMap((one) => (one.what === 'utterance' ? [`→ "${one.utterance.text}"`] : [])).join(' ');

async function inOrder<T, R>(items: readonly T[], act: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) results.push(await act(item, index));
  return results;
}
