import { expect, test } from 'vitest';
import { createTurnJudgement } from '#server/engines/turn-judgement/index';
import type { SpokenUtterance } from './contract.ts';
import { aListener, brokenEngine, ScriptedSpeech, silence } from './fake.ts';
import { listen } from './listen.ts';

/** A stream at a microphone's pace: all effects of a frame happen before the next one. */
function aStream() {
  const speech = new ScriptedSpeech();
  const listener = aListener();
  const utterances: SpokenUtterance[] = [];
  const taking = listen(
    {
      mode: 'hands-free',
      language: 'en',
      recognition: speech.recognition,
      voiceActivity: speech.voiceActivity,
      listener: {
        ...listener,
        utterance: (utterance) => {
          utterances.push(utterance);
          listener.utterance(utterance);
        },
      },
    },
    createTurnJudgement(),
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
    speech,
    utterances,
    told: listener.told,
    settle,
    play,
    say: (text: string, wordMs?: number) => play(speech.say(text, wordMs)),
    pause: (ms: number) => play(silence(ms)),
    without: (...kinds: string[]) =>
      listener.told.filter((line) => !kinds.some((kind) => line.startsWith(kind))),
  };
}

test('takes a finished sentence after a short silence, with all of its sound', async () => {
  const { say, pause, told, utterances } = aStream();
  await pause(992);
  await say('where is my order?');
  await pause(480);
  expect(told).toEqual([
    'speaking',
    'partial: where is my',
    'partial: where is my order?',
    'candidate: where is my order?',
    'utterance: where is my order?',
    'quiet',
  ]);
  const [utterance] = utterances;
  expect(utterance?.startedAtMs).toBe(992);
  expect(utterance?.endedAtMs).toBe(992 + 4 * 256);
  expect(utterance?.waitedMs).toBeGreaterThanOrEqual(200);
  expect(utterance?.waitedMs).toBeLessThanOrEqual(350);
  expect(utterance?.samples?.length).toBeGreaterThanOrEqual((4 * 256 + 250) * 16);
});

test('waits through a pause in an unfinished sentence, and loses nothing of it', async () => {
  const { say, pause, told, without } = aStream();
  await say('my order number is');
  await pause(1_472);
  expect(without('partial', 'candidate')).toEqual(['speaking']);
  await say('not here');
  await pause(800);
  expect(told.at(-2)).toBe('utterance: my order number is not here');
});

test('takes what was left unfinished after the longest wait', async () => {
  const { say, pause, told } = aStream();
  await say('I would like to return the');
  await pause(2_400);
  expect(told).toContain('utterance: I would like to return the');
});

test('shows what was said while it is being said', async () => {
  const { say, told } = aStream();
  await say('one small step for a man and one giant leap for mankind', 192);
  const partials = told.filter((line) => line.startsWith('partial'));
  expect(partials.length).toBeGreaterThanOrEqual(2);
  expect(partials.at(-1)).toContain('partial: one small step for a man');
});

test('a noise without words is no utterance', async () => {
  const { say, pause, told } = aStream();
  await say('[slam]', 160);
  await pause(800);
  expect(told).toEqual(['speaking', 'quiet']);
});

test('a click is not even speech', async () => {
  const { say, pause, told } = aStream();
  await say('[click]', 64);
  await pause(800);
  expect(told).toEqual([]);
});

test('two sentences with a long silence between them are two utterances', async () => {
  const { say, pause, utterances, taking } = aStream();
  await say('do you ship abroad?');
  await pause(640);
  taking.agentSays('Yes, we do.');
  taking.agentSays(null);
  await pause(640);
  await say('what does it cost?');
  await pause(640);
  expect(utterances.map(({ text }) => text)).toEqual(['do you ship abroad?', 'what does it cost?']);
  expect(utterances.map(({ continues }) => continues)).toEqual([false, false]);
});

test('an utterance that does not end is taken after a minute, and the rest is the next one', async () => {
  const { say, pause, utterances } = aStream();
  await say('word '.repeat(260));
  await pause(800);
  expect(utterances).toHaveLength(2);
  const words = utterances.flatMap(({ text }) => text.split(' '));
  expect(words.length).toBeGreaterThanOrEqual(257);
  expect(utterances[0]?.samples?.length).toBeLessThanOrEqual(61 * 16_000);
});

test('long speech is recognised stretch by stretch', async () => {
  const { say, pause, speech, utterances } = aStream();
  for (let part = 0; part < 4; part++) {
    await say(
      `part ${part} of what I wanted to tell you in a rather long story that goes on and on and`,
      512,
    );
    await pause(480);
  }
  await say('ends');
  await pause(1_200);
  const longest = Math.max(...speech.requests.map(({ samples }) => samples.length));
  expect(longest).toBeLessThanOrEqual(21 * 16_000);
  expect(utterances[0]?.text.match(/part \d/g)).toEqual(['part 0', 'part 1', 'part 2', 'part 3']);
  expect(utterances[0]?.text).toMatch(/and ends$/);
});

test('speech over the agent holds its voice within a few frames', async () => {
  const { say, taking, told } = aStream();
  taking.agentSays('Our shop is open from nine to five.');
  await say('[noise]', 128);
  expect(told).toEqual(['speaking', 'hold']);
});

test.each(['mhm', 'okay', 'yeah okay', 'I see', 'thank you', 'uh-huh', '[cough]'])(
  '"%s" over the agent lets it go on',
  async (text) => {
    const { say, pause, taking, told } = aStream();
    taking.agentSays('Our shop is open from nine to five.');
    await pause(640);
    await say(text, 320);
    await pause(800);
    expect(told).toEqual(['speaking', 'hold', 'release', 'quiet']);
  },
);

test.each(['okay', 'yes', 'thank you'])('"%s" is an utterance while the agent is silent', async (text) => {
  const { say, pause, taking, told } = aStream();
  taking.agentSays('Shall I cancel it?');
  await pause(640);
  taking.agentSays(null);
  await pause(320);
  await say(text);
  await pause(800);
  expect(told).toContain(`utterance: ${text}`);
});

test.each(['no', 'stop', 'wait', 'hold on', 'actually', 'excuse me', 'no problem with that'])(
  '"%s" interrupts the agent',
  async (text) => {
    const { say, pause, taking, without } = aStream();
    taking.agentSays('Our shop is open from nine to five.');
    await pause(640);
    await say(text);
    await pause(2_400);
    expect(without('partial', 'candidate')).toEqual([
      'speaking',
      'hold',
      'interrupt',
      `utterance: ${text}`,
      'quiet',
    ]);
  },
);

test('a sentence over the agent interrupts it before the sentence is over', async () => {
  const { say, taking, told, pause } = aStream();
  taking.agentSays('Our shop is open from nine to five.');
  await pause(640);
  await say('what about Sunday morning then');
  expect(told.slice(0, 3)).toEqual(['speaking', 'hold', 'interrupt']);
});

test('nothing of what may be a back-channel is shown as transcript', async () => {
  const { say, pause, taking, told } = aStream();
  taking.agentSays('Our shop is open from nine to five.');
  await say('okay');
  await pause(800);
  expect(told.filter((line) => line.startsWith('partial'))).toEqual([]);
});

test("the agent's own voice from the loudspeaker does not interrupt it, and holds it once at most", async () => {
  const { say, pause, taking, told } = aStream();
  taking.agentSays('Our shop is open from nine to five on weekdays and from ten to two on Saturdays.');
  await say('our shop is open from nine');
  await say('to five on weekdays and');
  await pause(800);
  await say('from ten to two');
  await pause(800);
  expect(told.filter((line) => line === 'hold')).toHaveLength(1);
  expect(told.filter((line) => line === 'release')).toHaveLength(1);
  expect(told).not.toContain('interrupt');
  expect(told.some((line) => line.startsWith('utterance'))).toBe(false);
});

test('a customer who speaks while the echo is heard interrupts by words', async () => {
  const { say, pause, taking, told } = aStream();
  taking.agentSays('Our shop is open from nine to five on weekdays and from ten to two on Saturdays.');
  await say('our shop is open from nine');
  await pause(320);
  await say('please tell me the address');
  await pause(800);
  expect(told).toContain('interrupt');
  expect(told).toContain('utterance: please tell me the address');
});

test('somebody louder than the echo holds the voice while the echo goes on', async () => {
  const { say, play, speech, pause, taking, told } = aStream();
  taking.agentSays('Our shop is open from nine to five on weekdays and from ten to two on Saturdays.');
  await say('our shop is open from nine');
  await pause(320);
  const echo = speech.say('to five on weekdays');
  for (let word = 0; word < 200; word++) speech.say('filler');
  const customer = speech.say('please tell me the address');
  told.length = 0;
  await play(echo);
  expect(told).toEqual([]);
  await play(customer.subarray(0, 512));
  expect(told).toEqual(['speaking', 'hold']);
  await play(customer.subarray(512));
  await pause(1_600);
  expect(told).toContain('interrupt');
  expect(told.find((line) => line.startsWith('utterance'))).toMatch(/please tell me the address$/);
});

test('an answer that follows the echo of the question is heard', async () => {
  const { say, pause, taking, told } = aStream();
  taking.agentSays('Our shop is open from nine. Which day suits you?');
  await say('our shop is open from nine');
  await pause(320);
  await say('which day suits you');
  taking.agentSays(null);
  await say('you');
  told.length = 0;
  await say('well Tuesday suits me');
  await pause(1_600);
  expect(told.some((line) => line.startsWith('utterance: ') && line.includes('Tuesday'))).toBe(true);
});

test('going on before the reply is heard calls it off and makes both one turn', async () => {
  const { say, pause, told } = aStream();
  await say('where is my order?');
  await pause(480);
  await say('the one from Monday');
  await pause(1_600);
  expect(told.filter((line) => !/^(?:partial|candidate)/.test(line))).toEqual([
    'speaking',
    'utterance: where is my order?',
    'quiet',
    'speaking',
    'hold',
    'interrupt',
    'utterance: the one from Monday (continues)',
    'quiet',
  ]);
});

test('"thanks" before the reply is heard does not call it off', async () => {
  const { say, pause, told } = aStream();
  await say('where is my order?');
  await pause(480);
  await say('thanks');
  await pause(800);
  expect(told.slice(-4)).toEqual(['speaking', 'hold', 'release', 'quiet']);
});

test.each(['please go ahead', 'yes', 'e r'])(
  '"%s" before the reply is heard belongs to the turn',
  async (rest) => {
    const { say, pause, told } = aStream();
    await say('yes, that works for me');
    await pause(800);
    await say(rest);
    await pause(2_400);
    expect(told).toContain('interrupt');
    expect(told).toContain(`utterance: ${rest} (continues)`);
  },
);

test('a turn is not taken in the moment in which the customer goes on', async () => {
  for (let pauseMs = 576; pauseMs <= 672; pauseMs += 32) {
    const { say, pause, utterances } = aStream();
    await say('the lamp is broken');
    await pause(pauseMs);
    await say('could you help me please');
    await pause(1_200);
    const said = utterances.map(({ text }) => text).join(' ');
    expect(said).toBe('the lamp is broken could you help me please');
    expect(utterances.length).toBe(pauseMs < 608 ? 1 : 2);
  }
});

test('speech that was not understood at first is heard again with more silence behind it', async () => {
  const { say, pause, told, speech } = aStream();
  speech.deaf = 1;
  await say('help me');
  await pause(1_200);
  expect(told).toContain('utterance: help me');
});

test('a noise before the reply is heard does not call it off', async () => {
  const { say, pause, told } = aStream();
  await say('where is my order?');
  await pause(480);
  await say('[cough]');
  await pause(800);
  expect(told.slice(-4)).toEqual(['speaking', 'hold', 'release', 'quiet']);
});

test('somebody who thinks in mid-sentence is given more time at its end', async () => {
  const waited = async (pauses: number) => {
    const { say, pause, utterances } = aStream();
    await say('the lamp');
    if (pauses > 0) await pause(640);
    await say('that I bought in');
    if (pauses > 1) await pause(640);
    await say('May does not work');
    await pause(1_600);
    return utterances.at(-1)?.waitedMs ?? 0;
  };
  expect(await waited(2)).toBeGreaterThan((await waited(0)) + 100);
});

test('a reply that begins while the customer speaks again is held', async () => {
  const { say, pause, taking, told } = aStream();
  await say('I have one more thing to');
  taking.agentSays('Sure.');
  expect(told.at(-1)).toBe('hold');
  await say('ask you');
  await pause(1_200);
  expect(told).toContain('interrupt');
  expect(told).toContain('utterance: I have one more thing to ask you');
});

test('a failed recognition is said and the stream goes on', async () => {
  const { say, pause, speech, told } = aStream();
  speech.failures.push(brokenEngine());
  await say('where is it?');
  await pause(800);
  expect(told.slice(-2)).toEqual(['failed: The recognition is broken.', 'quiet']);
  await say('where is it?');
  await pause(800);
  expect(told).toContain('utterance: where is it?');
});

test('a failure that may pass is tried again before anybody hears of it', async () => {
  const { say, pause, speech, told } = aStream();
  speech.failures.push(brokenEngine(true));
  await say('where is it?');
  await pause(800);
  expect(told).toContain('utterance: where is it?');
});

test('a failed recognition over the agent lets it go on', async () => {
  const { say, pause, speech, taking, told } = aStream();
  taking.agentSays('Our shop is open from nine to five.');
  speech.failures.push(brokenEngine(), brokenEngine(), brokenEngine());
  await say('hmm');
  await pause(800);
  expect(told.slice(-3)).toEqual(['failed: The recognition is broken.', 'release', 'quiet']);
});

test('a failed voice detection ends the stream', async () => {
  const speech = new ScriptedSpeech();
  const listener = aListener();
  const taking = listen(
    {
      mode: 'hands-free',
      language: 'en',
      recognition: speech.recognition,
      voiceActivity: {
        ...speech.voiceActivity,
        open: () => ({ accept: () => Promise.reject(brokenEngine()), close: () => {} }),
      },
      listener,
    },
    createTurnJudgement(),
  );
  taking.accept(silence(64));
  await taking.end();
  taking.accept(silence(64));
  expect(listener.told).toEqual(['fatal: The recognition is broken.']);
});

test('the end of the sound takes what was said', async () => {
  const { say, taking, told, utterances } = aStream();
  await say('my order number is');
  await taking.end();
  expect(told.slice(-2)).toEqual(['utterance: my order number is', 'quiet']);
  expect(utterances).toHaveLength(1);
});

test('after closing nothing more is told', async () => {
  const { say, speech, settle, taking, told } = aStream();
  speech.slow = true;
  await say('where is my order?');
  const before = told.length;
  taking.close();
  speech.letThrough();
  await settle();
  await say('hello?');
  await taking.end();
  expect(told).toHaveLength(before);
});

test('a slow recognition delays the turn, and no turn is lost or out of order', async () => {
  const { say, pause, speech, settle, told, taking } = aStream();
  speech.slow = true;
  await say('first question?');
  await pause(3_200);
  await say('second question?');
  await pause(640);
  expect(told.some((line) => line.startsWith('utterance'))).toBe(false);
  speech.letThrough();
  for (let turn = 0; turn < 400; turn++) await settle();
  await taking.end();
  const utterances = told.filter((line) => line.startsWith('utterance'));
  expect(utterances).toEqual(['utterance: first question?', 'utterance: second question? (continues)']);
});

test('sound that comes much too fast is left out with one message', async () => {
  const { speech, settle, told, taking } = aStream();
  taking.accept(speech.say('where is my order?'));
  taking.accept(silence(100_000));
  taking.accept(silence(100_000));
  for (let turn = 0; turn < 400; turn++) await settle();
  expect(told.filter((line) => line.startsWith('failed'))).toEqual([
    'failed: Sound comes faster than it can be understood; part of it was left out.',
  ]);
  expect(told).toContain('utterance: where is my order?');
});

test('somebody who was cut off is given more time from then on', async () => {
  const { say, pause, utterances, taking } = aStream();
  await say('where is my order?');
  await pause(480);
  await say('the one from Monday');
  await pause(1_600);
  taking.agentSays('It is on its way.');
  taking.agentSays(null);
  await pause(320);
  await say('can I change the address?');
  await pause(1_600);
  const [first, , third] = utterances;
  expect(third?.waitedMs).toBeGreaterThan((first?.waitedMs ?? 0) + 60);
});
