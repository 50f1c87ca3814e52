import { expect, test } from 'vitest';
import { createTurnJudgement } from '#server/engines/turn-judgement/index';
import { aListener, brokenEngine, ScriptedSpeech, silence } from './fake.ts';
import { listen } from './listen.ts';

function aStream() {
  const speech = new ScriptedSpeech();
  const listener = aListener();
  const taking = listen(
    {
      mode: 'push-to-talk',
      language: 'en',
      recognition: speech.recognition,
      voiceActivity: speech.voiceActivity,
      listener,
    },
    createTurnJudgement(),
  );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const play = async (sound: Float32Array, chunk = 512) => {
    for (let at = 0; at < sound.length; at += chunk) {
      taking.accept(sound.subarray(at, at + chunk));
      await settle();
    }
  };
  return { taking, speech, told: listener.told, settle, play };
}

test('takes everything said between pressing and letting go, pauses or not', async () => {
  const { taking, speech, told, play } = aStream();
  await play(speech.say('where is my order?'));
  await play(silence(4_000));
  await play(speech.say('it should be here by now'));
  await taking.end();
  expect(told.filter((line) => line.startsWith('utterance'))).toEqual([
    'utterance: where is my order? it should be here by now',
  ]);
  expect(told.at(-1)).toBe('quiet');
});

test('shows what was said so far', async () => {
  const { speech, told, play } = aStream();
  await play(speech.say('where is my order and when will it come'));
  expect(told.filter((line) => line.startsWith('partial')).length).toBeGreaterThanOrEqual(1);
});

test('recognises long speech stretch by stretch and keeps only the newest sound', async () => {
  const { taking, speech, told, play } = aStream();
  for (let minute = 0; minute < 3; minute++)
    await play(speech.say(`minute${minute} `.repeat(120), 512), 4_096);
  await taking.end();
  expect(Math.max(...speech.requests.map(({ samples }) => samples.length))).toBeLessThanOrEqual(21 * 16_000);
  const text = told.find((line) => line.startsWith('utterance')) ?? '';
  for (let minute = 0; minute < 3; minute++)
    expect(text.match(new RegExp(`minute${minute}`, 'g'))?.length).toBeGreaterThanOrEqual(118);
});

test('ten minutes of silence are never recognised', async () => {
  const { taking, speech, told, play, settle } = aStream();
  await play(silence(590_000), 16_000);
  for (let turn = 0; turn < 100; turn++) await settle();
  await taking.end();
  expect(speech.requests).toEqual([]);
  expect(told).toEqual([]);
});

test('ends after ten minutes with one sentence, and takes what was said', async () => {
  const { taking, speech, told, play, settle } = aStream();
  await play(speech.say('where is my order?'));
  await play(silence(700_000), 16_000);
  for (let turn = 0; turn < 100; turn++) await settle();
  await taking.end();
  expect(told.slice(-2)).toEqual([
    'utterance: where is my order?',
    'fatal: You can speak for 10 minutes at a time. What you said until now was taken.',
  ]);
});

test('nothing said is no utterance', async () => {
  const { taking, speech, told, play } = aStream();
  await play(speech.say('[cough]'));
  await taking.end();
  expect(told).toEqual(['speaking', 'quiet']);
});

test('a stretch that cannot be recognised is said, the others are kept', async () => {
  const { taking, speech, told, play } = aStream();
  await play(speech.say('first part'));
  speech.failures.push(brokenEngine());
  await play(silence(1_500));
  await play(speech.say('second part'));
  await taking.end();
  expect(told).toContain('failed: The recognition is broken.');
  expect(told).toContain('utterance: second part');
});

test('after closing nothing more is told', async () => {
  const { taking, speech, told, play } = aStream();
  await play(speech.say('where is'));
  taking.close();
  await taking.end();
  expect(told).toEqual(['speaking']);
});
