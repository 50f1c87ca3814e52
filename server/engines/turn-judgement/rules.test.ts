import { expect, test } from 'vitest';
import { type CustomerPause, type Experience, LONGEST_WAIT_MS, type TalkOver } from './contract.ts';
import { createTurnJudgement } from './index.ts';

const { signal } = new AbortController();
const aPause = (changes: Partial<CustomerPause> = {}): CustomerPause => ({
  text: 'The lamp is broken.',
  language: 'en',
  newestSound: () => new Float32Array(),
  agentSaid: null,
  echoOf: null,
  history: [],
  ...changes,
});
const aTalkOver = (changes: Partial<TalkOver> = {}): TalkOver => ({
  text: 'okay',
  language: 'en',
  newestSound: () => new Float32Array(),
  voicedMs: 400,
  ended: true,
  agent: { text: 'Our shop is open from nine to five.', expects: 'anything', spokenMs: 1_000 },
  overVoice: true,
  stoppedWithAgent: false,
  asQuietAsEcho: false,
  mayBeEcho: false,
  ...changes,
});

const judge = createTurnJudgement();
const waitAfter = async (history: Experience[], text?: string) =>
  (await judge.pause(aPause({ history, ...(text ? { text } : {}) }), signal)).waitMs;

test('a verdict names its rule, and is the likelier the shorter it waits', async () => {
  const texts = [
    'Where is it?',
    'The lamp is broken.',
    'I bought it last week.',
    'I would like to return the',
  ];
  const verdicts = await Promise.all(texts.map((text) => judge.pause(aPause({ text }), signal)));
  expect(verdicts.map(({ rule }) => rule)).toEqual(['question', 'finished', 'open-ended', 'unfinished']);
  const likelihoods = verdicts.map(({ likelihood }) => likelihood);
  expect(likelihoods).toEqual([...likelihoods].sort((a, b) => b - a));
  const waits = verdicts.map(({ waitMs }) => waitMs);
  expect(waits).toEqual([...waits].sort((a, b) => a - b));
});

test('who goes on where a turn was taken is given more time, less again with each turn that goes well', async () => {
  const usual = await waitAfter([]);
  const cutOff: Experience = { what: 'cut-off', pauseMs: usual + 200, waitMs: usual };
  expect(await waitAfter([cutOff])).toBe(usual + 280);
  const turns = (count: number): Experience[] => Array.from({ length: count }, () => ({ what: 'turn' }));
  expect(await waitAfter([cutOff, ...turns(1)])).toBe(usual + 210);
  expect(await waitAfter([cutOff, ...turns(20)])).toBeLessThan(usual + 5);
});

test('each pause for thinking gives a little more time, and only so much', async () => {
  const usual = await waitAfter([]);
  const pause: Experience = { what: 'went-on', pauseMs: 420, waitMs: 1_800 };
  expect(await waitAfter([pause])).toBe(usual + 80);
  expect(await waitAfter([pause, pause, pause, pause, pause])).toBe(usual + 240);
});

test('a pause that had to be long teaches nothing', async () => {
  const um: Experience = { what: 'went-on', pauseMs: 2_100, waitMs: LONGEST_WAIT_MS };
  expect(await waitAfter([um])).toBe(await waitAfter([]));
});

test('patience lengthens no wait that is long already', async () => {
  const cutOff: Experience = { what: 'cut-off', pauseMs: 900, waitMs: 600 };
  const text = 'My order number is';
  expect(await waitAfter([cutOff], text)).toBe(await waitAfter([], text));
});

test('the end of the agent’s own voice is its echo, three words of it at least', async () => {
  const echoOf = {
    text: 'Our shop is open from nine to five.',
    expects: 'anything',
    spokenMs: 2_500,
  } as const;
  const late = (text: string) => judge.pause(aPause({ text, echoOf }), signal);
  expect(await late('from nine to five')).toMatchObject({ isEcho: true, rule: "the agent's words" });
  expect(await late('to five')).toMatchObject({ isEcho: false });
  expect(await late('what about Sunday')).toMatchObject({ isEcho: false });
});

test('agreement over the voice is agreement; before the reply is heard it may belong to the turn', async () => {
  expect(await judge.talkOver(aTalkOver({ text: 'yes' }), signal)).toEqual({
    kind: 'agreement',
    rule: 'signs of attention',
  });
  const before = { agent: null, overVoice: false };
  expect(await judge.talkOver(aTalkOver({ text: 'yes', ...before }), signal)).toEqual({
    kind: 'claim',
    rule: 'adds to the turn',
  });
  expect(await judge.talkOver(aTalkOver({ text: 'thanks', ...before }), signal)).toMatchObject({
    kind: 'agreement',
  });
});

test('verdicts are logged with their rule, without what was said', async () => {
  const logged: object[] = [];
  const judge = createTurnJudgement({ logger: { debug: (entry: object) => void logged.push(entry) } });
  await judge.pause(aPause({ text: 'My name is Robert Harrison.' }), signal);
  await judge.talkOver(aTalkOver({ text: 'stop' }), signal);
  expect(logged).toMatchObject([{ rule: 'opening' }, { kind: 'claim', rule: 'words that stop' }]);
  expect(JSON.stringify(logged)).not.toMatch(/Robert|"stop"/);
});
