import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resample } from '#server/audio/resampler';
import { durationMs, joinSounds, type Sound } from '#server/audio/sound';
import { bundles } from '#server/engines/weights/bundles';
import type { Weights } from '#server/engines/weights/contract';
import { createWeights } from '#server/engines/weights/index';
import { isWhole } from '#server/engines/weights/stamp';
import { type Ears, earsAreIn, openEars } from '../../../tests/speech/ears.ts';
import { engineReady } from '../../../tests/support/engine-ready.ts';
import { allOf, spoken as speak } from '../../../tests/support/spoken.ts';
import type { SynthesisEngine } from './contract.ts';
import { createSynthesis } from './index.ts';
import { spokenForm } from './spoken-language.ts';

const models = process.env.SIGMA_TEST_MODELS ?? 'models';
const hasVoice = await isWhole(join(models, bundles.voice.folder), bundles.voice);
const hasEars = await earsAreIn(models);
if (!hasVoice) process.stderr.write(`Tests of the real voice are skipped: no whole voice in "${models}".\n`);
else if (!hasEars)
  process.stderr.write(`The real voice is not recognised again: no whole ears in "${models}".\n`);

const sentences = [
  'Thanks for calling, how can I help you today?',
  'Your order will arrive on Thursday, November 12, between 9 am and noon.',
  'I am sorry to hear that, let me look into it for you.',
  'You can return any item within 30 days for a full refund.',
  'The total is $42.50, including tax and delivery.',
  'Please write to help@sigma-care.com and we will reply within 24 hours.',
  'Our opening hours are Monday to Friday, 9 am to 5 pm.',
  'Your order number is SG-10482.',
  'Standard delivery takes 3–5 business days and costs $4.99.',
  "I don't have that information, but a colleague can help you.",
  'You can call us at 1-800-555-0199.',
  'All prices include 20% VAT.',
];

const decibels = (amplitude: number) => 20 * Math.log10(amplitude);

/** Loudness of the speech, peak, and silence at both ends in milliseconds. */
function measure({ samples, sampleRate }: Sound) {
  const frame = Math.round(sampleRate / 100);
  const levels: number[] = [];
  for (let at = 0; at + frame <= samples.length; at += frame) {
    const sum = samples.subarray(at, at + frame).reduce((total, sample) => total + sample ** 2, 0);
    levels.push(Math.sqrt(sum / frame));
  }
  const loudest = Math.max(...levels);
  const spoken = levels.filter((level) => level > loudest * 0.06);
  const rms = Math.sqrt(spoken.reduce((total, level) => total + level ** 2, 0) / spoken.length);
  const audible = (level: number) => level > loudest * 0.02;
  return {
    loudness: decibels(rms),
    peak: samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0),
    silenceBeforeMs: levels.findIndex(audible) * 10,
    silenceAfterMs: (levels.length - 1 - levels.findLastIndex(audible)) * 10,
  };
}

/** Only the letters: "9 am", "nine AM" and "nine a.m." are equal. */
const letters = (text: string) => [
  ...spokenForm(text)
    .toLowerCase()
    .replace(/o'clock/g, '')
    .replace(/[^a-z]/g, ''),
];

/** A recogniser writes "one zero four eight two" as "10,482": also accept digits read one by one. */
const readings = (heard: string) => [
  heard,
  heard.replace(/\d[\d,]*\d/g, (figures) => [...figures.replaceAll(',', '')].join(' ')),
];

/** Edit distance: the fewest letters to change, add or drop. */
function distance(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of a.entries()) {
    const next = [i + 1];
    for (const [j, other] of b.entries())
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}

describe.skipIf(!hasVoice)('the real voice', () => {
  let weights: Weights;
  let voice: SynthesisEngine;
  let ears: Ears | null = null;
  const sounds = new Map<string, Sound & { durationMs: number }>();

  beforeAll(async () => {
    weights = createWeights({ modelsDir: models });
    voice = createSynthesis({ weights });
    if (hasEars) ears = await openEars(models);
    await engineReady(voice);
    for (const text of sentences) {
      sounds.set(text, await speak(voice, { text, urgency: 'later' }));
    }
  });

  afterAll(async () => {
    await ears?.close();
    await voice?.close();
    await weights?.close();
  });

  it.each(sentences)('speaks at an even loudness, without clipping or long silence: %s', (text) => {
    const sound = sounds.get(text);
    if (!sound) throw new Error('Nothing was spoken.');
    expect(sound.sampleRate).toBe(22_050);
    const { loudness, peak, silenceBeforeMs, silenceAfterMs } = measure(sound);
    expect(loudness).toBeGreaterThan(-20);
    expect(loudness).toBeLessThan(-16);
    expect(peak).toBeGreaterThan(0.2);
    expect(peak).toBeLessThan(1);
    expect(silenceBeforeMs).toBeLessThan(80);
    expect(silenceAfterMs).toBeGreaterThan(120);
    expect(silenceAfterMs).toBeLessThan(400);
  });

  it('speaks at the pace of a calm person', () => {
    const words = sentences.reduce((sum, text) => sum + spokenForm(text).split(' ').length, 0);
    const minutes = [...sounds.values()].reduce((sum, { durationMs }) => sum + durationMs, 0) / 60_000;
    expect(words / minutes).toBeGreaterThan(130);
    expect(words / minutes).toBeLessThan(210);
  });

  it.skipIf(!hasEars)('is understood by a recogniser that has never heard it', async () => {
    let wrong = 0;
    let all = 0;
    for (const text of sentences) {
      const spoken = sounds.get(text);
      if (!spoken) throw new Error('Nothing was spoken.');
      const said = letters(text);
      const heard = await ears?.recognition.recognize({
        samples: resample(spoken.samples, spoken.sampleRate, 16_000),
        urgency: 'final',
      });
      const missed = Math.min(...readings(heard ?? '').map((reading) => distance(said, letters(reading))));
      expect(missed / said.length, text).toBeLessThan(0.4);
      wrong += missed;
      all += said.length;
    }
    expect(wrong / all).toBeLessThan(0.08);
  });

  /** Samples on each side of the seam between two pieces: 20 ms. */
  const SEAM = 441;
  /** Sentences of different structure; each comes in pieces. */
  const divided = [
    'Delivery takes three to five days, and it is free from fifty dollars within the country.',
    'Portland: 210 Harbor Street, open Monday to Saturday 10 am to 8 pm and Sunday 11 am to 6 pm.',
    'No interest is charged on purchases when the full balance is paid on time.',
    'The lamp was launched in 2016 and is used by more than 40,000 businesses.',
    'Refunds are paid to the original card within 5 to 7 business days.',
    'The router is lent to you free of charge and must be returned within two weeks.',
  ];

  it.each(divided)('says the first words by themselves as part of the whole: %s', async (text) => {
    const pieces = await allOf(voice.synthesize({ text, urgency: 'first', firstWordsSoon: true }));
    expect(pieces.map((piece) => piece.text).join(' ')).toBe(text);
    expect(pieces.length).toBeGreaterThan(2);
    const [first] = pieces;
    if (!first) throw new Error('Nothing was spoken.');
    // Short enough to be ready at once, and never without a word.
    expect(durationMs(first)).toBeGreaterThan(200);
    expect(durationMs(first)).toBeLessThan(700);
    const whole = joinSounds(pieces);
    const { loudness, peak, silenceBeforeMs, silenceAfterMs } = measure(whole);
    // Over 150 sentences it ranged from -19.6 to -17.5.
    expect(loudness).toBeGreaterThan(-21.5);
    expect(loudness).toBeLessThan(-15.5);
    expect(peak).toBeLessThan(1);
    expect(silenceBeforeMs).toBeLessThan(80);
    expect(silenceAfterMs).toBeGreaterThan(120);
  });

  it('takes as long in pieces as in one', async () => {
    // The voice's pace is random: it varies by 7 % for one sentence, by 2 % for all of them twice.
    let piecesMs = 0;
    let wholeMs = 0;
    // The cache distinguishes text and language.
    const twice = ['en-GB', 'en-AU'].flatMap((language) => divided.map((text) => ({ text, language })));
    for (const { text, language } of twice) {
      const asked = { language, urgency: 'first' } as const;
      piecesMs += durationMs(
        joinSounds(await allOf(voice.synthesize({ ...asked, text, firstWordsSoon: true }))),
      );
      wholeMs += durationMs(joinSounds(await allOf(voice.synthesize({ ...asked, text: `${text} ` }))));
    }
    expect(piecesMs / wholeMs).toBeGreaterThan(0.85);
    expect(piecesMs / wholeMs).toBeLessThan(1.15);
  });

  it('puts pieces together without a seam', async () => {
    for (const text of divided) {
      const pieces = await allOf(voice.synthesize({ text, urgency: 'first', firstWordsSoon: true }));
      for (const [n, { samples }] of pieces.slice(1).entries()) {
        const before = pieces[n]?.samples ?? new Float32Array(0);
        const around = [...before.subarray(-SEAM), ...samples.subarray(0, SEAM)];
        const steps = around.slice(1).map((sample, at) => Math.abs(sample - (around[at] ?? 0)));
        const seam = steps[Math.min(SEAM, before.length) - 1] ?? 0;
        // Compare with the largest steps between samples in the speech itself near the seam.
        expect(seam).toBeLessThan(0.01 + 3 * Math.max(...steps.filter((step) => step !== seam)));
      }
    }
  });

  it.skipIf(!hasEars)('is understood as well when the first words come by themselves', async () => {
    const errors = async (sound: Sound, text: string) => {
      const said = letters(text);
      const heard = await ears?.recognition.recognize({
        samples: resample(sound.samples, sound.sampleRate, 16_000),
        urgency: 'final',
      });
      return Math.min(...readings(heard ?? '').map((reading) => distance(said, letters(reading))));
    };
    let wrong = 0;
    for (const text of divided) {
      const phrases = await allOf(voice.synthesize({ text, urgency: 'first', firstWordsSoon: true }));
      wrong += await errors(joinSounds(phrases), text);
    }
    expect(wrong / divided.join('').length).toBeLessThan(0.08);
  });

  it.each(['😀🎉', '', '你好', '...'])(
    'answers a moment of silence for text with nothing to say: %j',
    async (text) => {
      const { samples, durationMs } = await speak(voice, { text, urgency: 'first' });
      expect(durationMs).toBe(50);
      expect(Math.max(...samples.map(Math.abs))).toBeLessThan(0.001);
    },
  );

  it('speaks a paragraph as one sound, sentence after sentence', async () => {
    const text = sentences.slice(0, 6).join(' ');
    const speech = await speak(voice, { text, urgency: 'later' });
    const alone = sentences.slice(0, 6).reduce((sum, one) => sum + (sounds.get(one)?.durationMs ?? 0), 0);
    expect(speech.durationMs / alone).toBeGreaterThan(0.8);
    expect(speech.durationMs / alone).toBeLessThan(1.2);
  });

  it('lets an urgent sentence overtake long ones', async () => {
    const finished: string[] = [];
    const long = [0, 1].map((number) =>
      speak(voice, { text: `${number}. ${sentences.slice(0, 5).join(' ')}`, urgency: 'later' }).then(() =>
        finished.push('later'),
      ),
    );
    const urgent = speak(voice, { text: 'One moment please.', urgency: 'first' }).then(() =>
      finished.push('first'),
    );
    await Promise.all([...long, urgent]);
    expect(finished[0]).toBe('first');
  });

  it('stops for a caller who hangs up, and speaks on for others', async () => {
    const controller = new AbortController();
    const reason = new Error('hung up');
    const long = speak(voice, {
      text: sentences.slice(0, 8).join(' ').repeat(3),
      urgency: 'later',
      signal: controller.signal,
    });
    const other = speak(voice, { text: 'Another customer is waiting.', urgency: 'first' });
    controller.abort(reason);
    await expect(long).rejects.toBe(reason);
    expect((await other).durationMs).toBeGreaterThan(800);
  });

  it('says so, instead of ending the server, where the path of its weights is too long for it', async () => {
    const dir = join(tmpdir(), 'x'.repeat(180));
    const there: Weights = {
      ensure: async () => dir,
      status: (bundle) => weights.status(bundle),
      onProgress: (listener) => weights.onProgress(listener),
      close: () => weights.close(),
    };
    const unlucky = createSynthesis({ weights: there });
    while (unlucky.status().state !== 'failed') await new Promise((done) => setTimeout(done, 20));
    expect(unlucky.status().message).toBe(
      'The path of MODELS_DIR is too long for the voice; choose a shorter one.',
    );
    await unlucky.close();
    expect((await speak(voice, { text: 'I am still here.', urgency: 'first' })).durationMs).toBeGreaterThan(
      400,
    );
  });
});
