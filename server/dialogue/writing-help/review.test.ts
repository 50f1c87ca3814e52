import { afterAll, beforeAll, expect, it } from 'vitest';
import { createReading } from '#server/engines/reading/index';
import type { WritingHint } from '#shared/agents';
import { engineReady } from '../../../tests/support/engine-ready.ts';
import type { AgentProfile } from '../contract.ts';
import { createDialogue } from '../respond.ts';

const reading = createReading();
const dialogue = createDialogue({ reading });
const withoutReading = createDialogue({ reading: null });
beforeAll(() => engineReady(reading));
afterAll(async () => {
  await dialogue.close();
  await withoutReading.close();
  await reading.close();
});

let texts = 0;
const draft = (companyInfo: string): AgentProfile => ({
  id: 'writing',
  revision: String(texts++),
  name: '',
  companyName: '',
  language: 'en',
  personality: '',
  prompts: [],
  companyInfo,
  isDraft: true,
});

async function hintsFor(companyInfo: string, by = dialogue): Promise<WritingHint[]> {
  const hints: WritingHint[] = [];
  for await (const hint of by.review(draft(companyInfo), new AbortController().signal)) hints.push(hint);
  return hints;
}
const ofKind = async (kind: WritingHint['kind'], companyInfo: string) =>
  (await hintsFor(companyInfo)).filter((hint) => hint.kind === kind);

const paragraphs = (...all: string[]) => all.map((text, n) => `## Part ${'ABCD'[n]}\n\n${text}`).join('\n\n');

it.each([
  [
    'We are open Monday to Friday from 9 am to 6 pm.',
    'Opening hours: Monday to Friday 8 am to 5 pm.',
    '9, 6 / 8, 5',
  ],
  ['A lost card is replaced for £2.50.', 'Replacing a lost card costs £5.', '2.5 / 5'],
  [
    'Buying on account is possible from your second order and up to £150.',
    'You can buy on account up to £300.',
    '150 / 300',
  ],
  [
    'You can cancel free of charge up to 48 hours before pick-up.',
    'Cancellation is free until 24 hours before pick-up.',
    '48 / 24',
  ],
  ['Gift cards cannot be returned.', 'You can return gift cards.', ''],
])('finds a contradiction: %s – %s', async (one, other, text) => {
  expect(await ofKind('contradiction', paragraphs(one, other))).toEqual([
    { kind: 'contradiction', text, passages: [`Part A: ${one}`, `Part B: ${other}`] },
  ]);
});

it.each([
  ['Delivery to Canada takes 6 to 9 business days.', 'Delivery to Mexico takes 8 to 12 business days.'],
  ['Standard delivery costs $5.90.', 'Express delivery costs $14.90.'],
  ['Polar 100 costs 29.90 euros a month.', 'Polar 500 costs 39.90 euros a month.'],
  ['Team costs $29 per month and includes 5 users.', 'On Team, extra users cost $4 per month each.'],
  ['We are open Monday to Friday from 9 am to 6 pm.', 'On Saturdays we are open from 10 am to 4 pm.'],
  ['Dogs are not allowed in the restaurant.', 'Dogs are allowed in the garden.'],
  ['A lost card is replaced for £5.', 'Replacing a lost card costs £5.'],
  ['If gift cards cannot be returned, tell us.', 'Tell us when gift cards are returned.'],
])('takes different things for different: %s – %s', async (one, other) => {
  expect(await ofKind('contradiction', paragraphs(one, other))).toEqual([]);
});

it('names a rule without its number, unless the number stands beside it', async () => {
  const text = paragraphs('Refunds are made quickly.', 'We deliver quickly. It takes 2 days.');
  expect(await ofKind('no-number', text)).toEqual([
    { kind: 'no-number', text: 'quickly', passages: ['Part A: Refunds are made quickly.'] },
  ]);
});

it('names what customers usually ask, and only while nothing answers it', async () => {
  const questions = async (text: string) =>
    (await ofKind('unanswered', text)).map(({ text: asked }) => asked);
  expect(await questions('## Delivery\n\nDelivery in all of France. Ask us anything.')).toContain(
    'How long does delivery take?',
  );
  expect(await questions('## Delivery\n\nDelivery takes 3 to 5 business days.')).not.toContain(
    'How long does delivery take?',
  );
});

it('names what words alone show while nothing reads', async () => {
  expect(await hintsFor(paragraphs('Refunds are made quickly.'), withoutReading)).toMatchObject([
    { kind: 'no-number' },
  ]);
});

it('stops when nobody waits any more', async () => {
  const gone = new AbortController();
  const hints = dialogue.review(draft(paragraphs('We ship quickly.')), gone.signal);
  const listening = (async () => {
    for await (const _ of hints) gone.abort(new Error('The writer went on.'));
  })();
  await expect(listening).rejects.toThrow('The writer went on.');
});
