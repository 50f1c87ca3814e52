import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReading } from '#server/engines/reading/index';
import { aConversation } from '../../../tests/support/a-conversation.ts';
import { engineReady, PATIENT } from '../../../tests/support/engine-ready.ts';
import type { AgentProfile } from '../contract.ts';
import { createDialogue } from '../respond.ts';

const profile = (id: string, companyName: string, companyInfo: string): AgentProfile => ({
  id,
  revision: '1',
  name: 'Ada',
  companyName,
  language: 'en',
  personality: '',
  prompts: [],
  companyInfo,
});

const kennels = profile(
  'kennels',
  'Fernside Kennels',
  `# Fernside Kennels

## Boarding

| Guest | Night | Week |
|---|---|---|
| Small dog | £18 | £110 |
| Large dog | £24 | £150 |
| Rabbit | £9 | £55 |

Bring the vaccination card and a blanket that smells of home. Dogs are fetched by 17:00, on Sundays by 11:00.

## Grooming

A wash costs £20 and a full trim £38. A trim takes two hours.

## Training

### Puppy course

Six Saturdays at 10:00, £85. A treat bag is included.

### Agility course

Four Wednesdays at 18:00, £70. Dogs have to be a year old.
`,
);
const bank = profile(
  'bank',
  'Hartwell Savings',
  `# Hartwell Savings

## Cards

The debit card is free and arrives within five working days.

The credit card costs £36 a year and arrives within two weeks.

A lost debit card is blocked on 0161 496 0100. A lost credit card is blocked on 0161 496 0200.

## Branches

Ashby: Monday to Friday 9:00 to 16:00, with a cash machine and a ramp.

Melton: Tuesday and Thursday 10:00 to 14:00. There are three steps at the door.

## Closing an account

Come to a branch with your card and some identification. The rest of your money is paid out at once.
`,
);

const reading = createReading();
const dialogue = createDialogue({ ...PATIENT, reading });
beforeAll(async () => {
  await engineReady(reading);
  for (const agent of [kennels, bank]) await dialogue.complete(agent);
});
afterAll(async () => {
  await dialogue.close();
  await reading.close();
});

describe('the same is asked of something else', () => {
  test.each<[string, AgentProfile, string[], RegExp, RegExp | null]>([
    ['another row', kennels, ['How much is a night for a small dog?', 'And a large one?'], /£24/, /£18/],
    ['another column', kennels, ['How much is a night for a rabbit?', 'And for a week?'], /£55/, null],
    ['another place', bank, ['When is the branch in Ashby open?', 'And in Melton?'], /10:00 to 14:00/, null],
    [
      'two turns on',
      kennels,
      ['How much is a night for a small dog?', 'And a large one?', 'And a rabbit?'],
      /£9/,
      /£24/,
    ],
  ])('%s', async (_, agent, texts, right, wrong) => {
    const reply = await aConversation(dialogue, agent)(...texts);
    expect(reply.outcome).toBe('answered');
    expect(reply.text).toMatch(right);
    if (wrong) expect(reply.text).not.toMatch(wrong);
  });
});

describe('what was asked is put right', () => {
  test.each<[string, AgentProfile, string[], RegExp]>([
    [
      'not this, that',
      bank,
      ['What does the debit card cost?', 'No, the credit card, not the debit one.'],
      /£36/,
    ],
    [
      'one of the same kind',
      kennels,
      ['When is the puppy course?', 'Sorry, I meant the agility one.'],
      /Wednesdays/,
    ],
    ['the place alone', bank, ['When is the branch in Ashby open?', 'No, Melton.'], /10:00 to 14:00/],
    ['the time', kennels, ['How much is a large dog for a night?', 'Sorry, for a week I mean.'], /£150/],
    [
      'after a further question',
      kennels,
      ['When is the puppy course?', 'And how much is that?', 'No, the agility course.'],
      /£70/,
    ],
    ['the thing and not the price', kennels, ['How much is a wash?', 'Not a wash, sorry, a trim.'], /£38/],
  ])('%s', async (_, agent, texts, right) => {
    const reply = await aConversation(dialogue, agent)(...texts);
    expect(reply.outcome).toBe('answered');
    expect(reply.text).toMatch(right);
  });
});

describe('a question goes on with what was told', () => {
  test.each<[string, AgentProfile, string[], RegExp]>([
    ['its time', kennels, ['When is the puppy course?', 'Sorry, the agility one.', 'How much is it?'], /£70/],
    [
      'what it takes',
      kennels,
      ['How much is a night for a small dog?', 'What do I have to bring?'],
      /blanket/,
    ],
  ])('%s', async (_, agent, texts, right) => {
    const reply = await aConversation(dialogue, agent)(...texts);
    expect(reply.text).toMatch(right);
  });

  test('and one of its own leaves it', async () => {
    const reply = await aConversation(dialogue, bank)(
      'What does the credit card cost?',
      'How do I close my account?',
    );
    expect(reply.text).toMatch(/identification/);
  });
});
