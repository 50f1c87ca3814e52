import type { RecognitionEngine } from '#server/engines/recognition/contract';
import { readConfig } from '#server/settings/config';
import { openEars } from '../speech/ears.ts';
import {
  babble,
  doorSlam,
  hum,
  inNoise,
  keyClicks,
  louder,
  overTelephone,
  pinkNoise,
  silence,
  tune,
  whiteNoise,
} from '../speech/sounds.ts';
import { CLIP_RATE, type Clip, clipsOf, type Split, soundOf } from '../speech/speech-set.ts';
import { inRoom } from '../speech/stage.ts';
import { wordErrors } from '../speech/word-errors.ts';
import { figure, percentiles } from './figures.ts';

/** Noise is this many decibels below the speech. */
const NOISE_DB = 10;

/**
 * Recognises every sentence of the speech set as spoken, in noise and over a telephone, and sounds without words.
 * Prints word error rates, times, and wrongly recognised sentences.
 */
export async function benchHearing({
  modelsDir = readConfig().modelsDir,
  splits = ['dev', 'held-out'] as readonly Split[],
} = {}): Promise<void> {
  const ears = await openEars(modelsDir);
  try {
    await hear(ears.recognition, await soundOf(clipsOf('sentence')[0] as Clip));
    for (const split of splits) {
      console.log(`\n${split}`);
      await sentences(ears.recognition, split);
      await soundsWithoutWords(ears.recognition, split);
    }
  } finally {
    await ears.close();
  }
}

async function sentences(recognition: RecognitionEngine, split: Split): Promise<void> {
  const clips = clipsOf('sentence', split);
  // As turn-taking cuts it: with a moment of the room before and after.
  const voices = (await Promise.all(clips.map(soundOf))).map((speech, index) =>
    inRoom(speech, 300, 200, index + 1),
  );
  const around = (index: number, ms: number) =>
    babble(
      [7, 13, 19, 26].map((step) => voices[(index + step) % voices.length] ?? silence(100)),
      ms,
    );
  const conditions: Record<string, (speech: Float32Array, index: number) => Float32Array> = {
    clean: (speech) => speech,
    [`pink noise at ${NOISE_DB} dB`]: (speech, index) =>
      inNoise(speech, pinkNoise(lengthMs(speech), index + 1), NOISE_DB),
    'over a telephone (8 kHz, μ-law)': overTelephone,
    [`four other voices at ${NOISE_DB} dB`]: (speech, index) =>
      inNoise(speech, around(index, lengthMs(speech)), NOISE_DB),
    'quiet (-20 dB)': (speech) => louder(speech, -20),
  };
  for (const [name, change] of Object.entries(conditions)) {
    const heard: { clip: Clip; text: string; tookMs: number; errors: number; words: number }[] = [];
    for (const [index, clip] of clips.entries()) {
      const { text, tookMs } = await hear(recognition, change(voices[index] ?? silence(100), index));
      heard.push({ clip, text, tookMs, ...wordErrors(clip.text, text) });
    }
    figure(`${name}, ${clips.length} sentences`, `${rate(heard)} of the words wrong`);
    if (name === 'clean') {
      figure('  recordings of people', `${rate(heard.filter(({ clip }) => clip.person))}`);
      figure('  neural voices', `${rate(heard.filter(({ clip }) => clip.source === 'kokoro'))}`);
      figure(
        '  older engines',
        `${rate(heard.filter(({ clip }) => !clip.person && clip.source !== 'kokoro'))}`,
      );
      figure('  time of one', percentiles(heard.map(({ tookMs }) => tookMs)));
    }
    for (const { clip, text, errors } of heard)
      if (errors > 0)
        console.log(`    ${errors} wrong  ${clip.id} (${clip.voice}): "${clip.text}" → "${text}"`);
  }
}

async function soundsWithoutWords(recognition: RecognitionEngine, split: Split): Promise<void> {
  const seed = split === 'dev' ? 1 : 100;
  const sounds: [string, Float32Array][] = [
    ['silence', silence(3_000)],
    ['white noise', whiteNoise(3_000, seed)],
    ['loud white noise', whiteNoise(2_000, seed + 1, 0.2)],
    ['pink noise', pinkNoise(3_000, seed)],
    ['mains hum', hum(3_000)],
    ['plucked strings', tune(4_000, seed)],
    ['key clicks', keyClicks(3_000, seed)],
    ['door slam', doorSlam(seed)],
    ['two door slams', doorSlam(seed + 1, 0.4)],
  ];
  for (const clip of [...clipsOf('noise', split), ...clipsOf('music', split)])
    sounds.push([clip.id, await soundOf(clip)]);
  const mistaken: string[] = [];
  for (const [name, sound] of sounds) {
    const { text } = await hear(recognition, sound);
    if (text !== '') mistaken.push(`${name}: "${text}"`);
  }
  figure(`sounds without words, ${sounds.length}`, `${mistaken.length} taken for words`);
  for (const line of mistaken) console.log(`    ${line}`);
}

async function hear(recognition: RecognitionEngine, samples: Float32Array) {
  const start = performance.now();
  const text = await recognition.recognize({ samples, urgency: 'final' });
  return { text, tookMs: performance.now() - start };
}

function rate(heard: readonly { errors: number; words: number }[]): string {
  const errors = heard.reduce((sum, one) => sum + one.errors, 0);
  const words = heard.reduce((sum, one) => sum + one.words, 0);
  return `${((100 * errors) / Math.max(1, words)).toFixed(1)} % (${errors} of ${words})`;
}

const lengthMs = (sound: Float32Array) => (sound.length * 1_000) / CLIP_RATE;
