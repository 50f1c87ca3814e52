import { afterEach, expect, it } from 'vitest';
import { EngineError } from '#server/lib/engine-error';
import { noMetrics } from '#server/telemetry/metrics';
import { during, Timeline } from '#server/telemetry/timeline';
import { silentVoice } from '../../tests/support/fake-engines.ts';
import { createFakeLanguage } from './language/fake.ts';
import { Lately } from './lately.ts';
import { observedLanguage, observedReading, observedRecognition, observedSynthesis } from './observed.ts';
import { createFakeReading } from './reading/fake.ts';
import { createFakeRecognition } from './recognition/fake.ts';

let told: string[] = [];
afterEach(() => {
  told = [];
});
const metrics = {
  ...noMetrics,
  asked: (engine: string) => {
    told.push(`${engine} asked`);
    return (how: string) => void told.push(`${engine} ${how}`);
  },
  tokens: (...used: unknown[]) => void told.push(used.join(' ')),
};
const allOf = async <T>(items: AsyncIterable<T>) => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

it('counts and times what an engine is asked, and hands its answer on', async () => {
  const timeline = new Timeline();
  const reading = observedReading(createFakeReading(), metrics);
  const vectors = await during(timeline, () => reading.embed(['hello', 'there']));
  expect(vectors).toHaveLength(2);
  expect(told).toEqual(['reading asked', 'reading done']);
  expect(timeline.steps).toMatchObject([{ name: 'reading' }]);
});

it('tells a failure from what was called off', async () => {
  const timeline = new Timeline();
  const otherwise = () => Promise.reject(new EngineError('Deaf.', { retryable: false }));
  const ears = observedRecognition(createFakeRecognition({ otherwise }), metrics);
  const request = { samples: new Float32Array(1), urgency: 'final' as const };
  await expect(during(timeline, () => ears.recognize(request))).rejects.toThrow('Deaf.');
  await expect(ears.recognize({ ...request, signal: AbortSignal.abort(new Error('Gone.')) })).rejects.toThrow(
    'Gone.',
  );
  expect(told).toEqual([
    'recognition asked',
    'recognition failed',
    'recognition asked',
    'recognition called off',
  ]);
  expect(timeline.steps).toMatchObject([{ name: 'recognition', failed: true }]);
});

it('counts the voice phrase by phrase, as they are asked for', async () => {
  const voice = observedSynthesis(silentVoice(), metrics);
  const phrases = await allOf(voice.synthesize({ text: 'Hello.', urgency: 'first' }));
  expect(phrases.map(({ text }) => text)).toEqual(['Hello.']);
  expect(told.slice(0, 2)).toEqual(['synthesis asked', 'synthesis done']);
});

it('counts a language model from its first word to its last, and what it says it used', async () => {
  const model = observedLanguage(
    createFakeLanguage(() => 'Hello.'),
    metrics,
  );
  const signal = new AbortController().signal;
  const events = await allOf(model.stream({ instructions: '', messages: [], signal }));
  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'done' });
  expect(told).toEqual(['language model asked', 'read 100', 'written 2', 'language model done']);
});

it('ends what nobody reads on', async () => {
  const model = observedLanguage(
    createFakeLanguage(() => 'Hello there.'),
    metrics,
  );
  const signal = new AbortController().signal;
  for await (const _ of model.stream({ instructions: '', messages: [], signal })) break;
  expect(told).toEqual(['language model asked', 'language model called off']);
});

it('knows how an engine did lately', async () => {
  const lately = new Lately();
  expect([lately.quick, lately.problem]).toEqual([null, null]);
  for (const ms of [30, 10, 20.4]) lately.answered(ms);
  expect(lately.quick).toEqual({ ms: 20, of: 3 });
  for (let more = 0; more < 100; more++) lately.answered(5);
  expect(lately.quick).toEqual({ ms: 5, of: 50 });

  let isBroken = true;
  const model = observedLanguage(
    createFakeLanguage(() => {
      if (isBroken) throw new EngineError('It is busy.', { retryable: true });
      return 'Hello.';
    }),
    metrics,
    lately,
  );
  const request = { instructions: '', messages: [], signal: new AbortController().signal };
  await expect(allOf(model.stream(request))).rejects.toThrow('It is busy.');
  expect(lately.problem).toBe('It is busy.');
  const away = createFakeRecognition({
    otherwise: () => Promise.reject(new EngineError('Away.', { retryable: true })),
  });
  const ears = observedRecognition(away, metrics, lately);
  const speech = { samples: new Float32Array(1), urgency: 'final' as const };
  const partial = ears.recognize({ ...speech, urgency: 'partial' });
  await expect(partial).rejects.toThrow('Away.');
  const calledOff = ears.recognize({ ...speech, signal: AbortSignal.abort(new Error('Gone.')) });
  await expect(calledOff).rejects.toThrow('Gone.');
  expect(lately.problem).toBe('It is busy.');
  await expect(ears.recognize(speech)).rejects.toThrow('Away.');
  expect(lately.problem).toBe('Away.');
  isBroken = false;
  await allOf(model.stream(request));
  expect(lately.problem).toBeNull();
});
