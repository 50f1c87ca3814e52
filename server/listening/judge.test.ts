import { expect, test, vi } from 'vitest';
import type { PauseVerdict } from '#server/engines/turn-judgement/contract';
import { ScriptedJudgement } from '#server/engines/turn-judgement/fake';
import { createTurnJudgement } from '#server/engines/turn-judgement/index';
import { aListener, ScriptedSpeech, silence } from './fake.ts';
import { listen } from './listen.ts';

/** A stream at a microphone's pace, with a judge that may be late, silent or broken. */
function aStream(mood: ScriptedJudgement['mood']) {
  const speech = new ScriptedSpeech();
  const listener = aListener();
  const judge = new ScriptedJudgement(createTurnJudgement());
  judge.mood = mood;
  const waitedMs: number[] = [];
  const { recognition, voiceActivity } = speech;
  const taking = listen(
    {
      mode: 'hands-free',
      language: 'en',
      recognition,
      voiceActivity,
      listener: {
        ...listener,
        utterance: (utterance) => {
          waitedMs.push(utterance.waitedMs);
          listener.utterance(utterance);
        },
      },
    },
    judge,
  );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const play = async (sound: Float32Array) => {
    for (let at = 0; at < sound.length; at += 512) {
      taking.accept(sound.subarray(at, at + 512));
      await settle();
    }
  };
  return {
    taking,
    judge,
    settle,
    waitedMs,
    told: listener.told,
    utterances: () => listener.told.filter((line) => line.startsWith('utterance')),
    say: (text: string, wordMs?: number) => play(speech.say(text, wordMs)),
    pause: (ms: number) => play(silence(ms)),
  };
}

const moods = ['slow', 'broken'] as const;

test.each(moods)(
  'a %s judge: the turn is taken by time alone, within two seconds, and once',
  async (mood) => {
    const { say, pause, utterances, waitedMs, judge, settle, told } = aStream(mood);
    await say('I would like to return the');
    await pause(2_000);
    expect(utterances()).toEqual(['utterance: I would like to return the']);
    expect(waitedMs[0]).toBeGreaterThanOrEqual(900);
    expect(waitedMs[0]).toBeLessThanOrEqual(1_500);
    expect(told.filter((line) => line.startsWith('candidate'))).toHaveLength(1);
    const before = [...told];
    judge.answer();
    await settle();
    expect(told).toEqual(before);
  },
);

test.each(moods)('a %s judge: somebody who goes on in time is not cut off', async (mood) => {
  const { say, pause, utterances } = aStream(mood);
  await say('I would like to return the');
  await pause(640);
  await say('lamp');
  await pause(2_000);
  expect(utterances()).toEqual(['utterance: I would like to return the lamp']);
});

test('an answer that comes late, but before the turn is taken, still counts', async () => {
  const { say, pause, utterances, judge, settle } = aStream('slow');
  await say('my order number is');
  await pause(800);
  judge.answer();
  await settle();
  await pause(640);
  expect(utterances()).toEqual([]);
  await pause(800);
  expect(utterances()).toEqual(['utterance: my order number is']);
});

test('an answer to a pause that is over already changes nothing', async () => {
  const { say, pause, utterances, judge, settle } = aStream('slow');
  await say('where is my order?');
  await pause(256);
  await say('the one from Monday');
  judge.answer();
  await settle();
  await pause(320);
  expect(utterances()).toEqual([]);
  judge.mood = 'prompt';
  judge.answer();
  await pause(1_600);
  expect(utterances()).toEqual(['utterance: where is my order? the one from Monday']);
});

test.each(moods)('a %s judge: a short noise over the agent is released, once', async (mood) => {
  const { say, pause, taking, told, judge, settle } = aStream(mood);
  taking.agentSays('Our shop is open from nine to five.');
  await pause(640);
  await say('okay', 320);
  await pause(1_200);
  expect(told).toEqual(['speaking', 'hold', 'release', 'quiet']);
  judge.answer();
  await settle();
  expect(told).toHaveLength(4);
});

test.each(moods)('a %s judge: whoever speaks for long over the agent takes the floor', async (mood) => {
  const { say, pause, taking, told, utterances } = aStream(mood);
  taking.agentSays('Our shop is open from nine to five.');
  await pause(640);
  await say('please tell me the address of the shop in Boston');
  await pause(2_000);
  expect(told.slice(0, 3)).toEqual(['speaking', 'hold', 'interrupt']);
  expect(told.filter((line) => line === 'interrupt')).toHaveLength(1);
  expect(utterances()).toEqual(['utterance: please tell me the address of the shop in Boston']);
});

test('a judge that hangs does not keep the last words from being taken', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { say, taking, utterances } = aStream('slow');
    await say('my order number is');
    const ended = taking.end();
    await vi.advanceTimersByTimeAsync(1_000);
    await ended;
    expect(utterances()).toEqual(['utterance: my order number is']);
  } finally {
    vi.useRealTimers();
  }
});

test('a judge without sense is not waited for without end', async () => {
  const { say, pause, utterances, judge } = aStream('prompt');
  const verdict = (waitMs: number): PauseVerdict => ({
    likelihood: 0,
    waitMs,
    isEcho: false,
    rule: 'nonsense',
  });
  judge.pauseVerdict = verdict(Number.NaN);
  await say('hello there');
  await pause(1_200);
  judge.pauseVerdict = verdict(60_000);
  expect(utterances()).toHaveLength(1);
  await say('where is it?');
  await pause(2_300);
  expect(utterances()).toHaveLength(2);
});

test('is given the newest sound, what the agent said, and what the call has taught', async () => {
  const { say, pause, judge, taking } = aStream('prompt');
  taking.agentSays('How can I help?');
  taking.agentSays(null);
  await pause(992);
  await say('the lamp that I');
  await pause(640);
  await say('bought is broken');
  await pause(1_200);
  const [first, second] = judge.asked;
  if (!first || !second || !('history' in first) || !('history' in second)) throw new Error('Not asked.');
  expect(first).toMatchObject({
    text: 'the lamp that I',
    agentSaid: { text: 'How can I help?', expects: 'anything' },
    history: [],
  });
  expect(second).toMatchObject({
    text: 'the lamp that I bought is broken',
    history: [{ what: 'went-on', pauseMs: 640 }],
  });
  expect(judge.soundLengths[0]).toBe(16_000);
});
