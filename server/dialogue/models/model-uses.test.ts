import { afterAll, expect, test } from 'vitest';
import { type CompletionEvent, type LanguageEngine, unknownHabits } from '#server/engines/language/contract';
import { createFakeLanguage } from '#server/engines/language/fake';
import { EngineError } from '#server/lib/engine-error';
import type { ModelUse, ReplyEvent } from '../contract.ts';
import { createDialogue } from '../respond.ts';

const models: LanguageEngine[] = [];
const uses: ModelUse[] = [];
const dialogue = createDialogue({ models: () => models, reading: null });
afterAll(() => dialogue.close());

function asking(
  asked: readonly LanguageEngine[],
  { isLeft = true, signal = new AbortController().signal } = {},
): AsyncIterable<ReplyEvent> {
  uses.length = 0;
  models.splice(0, models.length, ...asked);
  const agent = {
    id: 'shop',
    revision: '1',
    name: 'Ada',
    companyName: 'Copper Mill',
    language: 'en',
    personality: 'Plain',
    companyInfo: '# Returns\n\nItems can be returned within 45 days.',
    prompts: [],
  };
  const allowance = { isLeft: () => isLeft, onUse: (use: ModelUse) => void uses.push(use) };
  return dialogue.respond(
    { agent, models: allowance, history: [], text: 'How long can I return items?' },
    signal,
  );
}

async function ask(...args: Parameters<typeof asking>): Promise<string> {
  let said = '';
  for await (const event of asking(...args)) if (event.type === 'reply') said = event.text;
  return said;
}

const model = (name: string, stream: LanguageEngine['stream']): LanguageEngine => ({
  name,
  checking: 'strict',
  habits: unknownHabits(),
  stream,
});
const text = (piece: string): CompletionEvent => ({ type: 'text', text: piece });
const end = (input: number | null, output: number | null): CompletionEvent => ({
  type: 'end',
  reason: 'done',
  usage: { input, output },
});

test('what an answer took is what its server says', async () => {
  await ask([
    model('m', async function* () {
      yield text('You have 45 days.');
      yield end(321, 6);
    }),
  ]);
  expect(uses).toEqual([{ model: 'm', input: 321, output: 6 }]);
});

test('a server that does not count is counted for, by characters', async () => {
  const answer = 'You have 45 days.';
  await ask([
    model('m', async function* () {
      yield text(answer);
      yield end(null, null);
    }),
  ]);
  const [use] = uses;
  expect(use?.output).toBe(Math.ceil(answer.length / 4));
  // Instructions, passages and the question.
  expect(use?.input).toBeGreaterThan(100);
});

test('an answer that was withheld is paid for, too', async () => {
  const said = await ask([createFakeLanguage(() => 'You have 60 days.')]);
  expect(said).not.toContain('60');
  // It was asked once more, for another sentence.
  expect(uses).toEqual([{ model: 'fake-model', input: 200, output: 10 }]);
});

test('one that was interrupted is counted as far as it was made', async () => {
  const interrupted = new AbortController();
  const talking = model('m', async function* ({ signal }) {
    yield text('Sure. You have 45 days. Any');
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  const events = asking([talking], { signal: interrupted.signal });
  const listening = (async () => {
    for await (const _ of events) interrupted.abort(new Error('Somebody spoke.'));
  })();
  await expect(listening).rejects.toThrow('Somebody spoke.');
  expect(uses).toHaveLength(1);
  expect(uses[0]?.input).toBeGreaterThan(100);
  expect(uses[0]?.output).toBeLessThan(12);
});

test('so is one whose listener went away without a word', async () => {
  for await (const _ of asking([createFakeLanguage(() => 'Sure. You have 45 days.')])) break;
  expect(uses).toMatchObject([{ model: 'fake-model' }]);
});

test('each model of the ladder is counted for itself, one that was not there for nothing', async () => {
  const gone = new EngineError('The language model cannot be reached.', { retryable: true });
  await ask([
    model('away', () => {
      throw gone;
    }),
    model('dies', async function* () {
      yield text('Well');
      throw new EngineError('The language model broke off.', { retryable: false });
    }),
    createFakeLanguage(() => 'You have 45 days.'),
  ]);
  expect(uses.map(({ model: name, output }) => [name, output])).toEqual([
    ['dies', 1],
    ['fake-model', 5],
  ]);
});

test('where no tokens are left the embedded reader answers, and no model is asked', async () => {
  const language = createFakeLanguage(() => 'never');
  expect(await ask([language], { isLeft: false })).toContain('45 days');
  expect(language.requests).toEqual([]);
  expect(uses).toEqual([]);
});
