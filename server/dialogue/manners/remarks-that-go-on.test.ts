import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReading } from '#server/engines/reading/index';
import { aConversation } from '../../../tests/support/a-conversation.ts';
import { engineReady, PATIENT } from '../../../tests/support/engine-ready.ts';
import type { AgentProfile } from '../contract.ts';
import { createDialogue } from '../respond.ts';

const agent: AgentProfile = {
  id: 'choir-school',
  revision: '1',
  name: 'Ada',
  companyName: 'Saltmarsh Music School',
  language: 'en',
  personality: '',
  prompts: [],
  companyInfo: `# Saltmarsh Music School

## Lessons

Violin and cello lessons are on Mondays, singing lessons on Thursdays. A lesson of half an hour costs £24.

## Choirs

The children's choir meets on Tuesdays at 16:00, in German and English. The evening choir meets on Wednesdays at 19:30, from eight weeks after an operation of the throat.

## Missing a lesson

Tell us by noon the day before, or the lesson is paid all the same. Whoever is ill never pays.

## Hiring an instrument

A violin costs £12 a month and a cello £18. Bring some identification and a deposit of £60.
`,
};

const reading = createReading();
const dialogue = createDialogue({ ...PATIENT, reading });
const aCall = () => aConversation(dialogue, agent);
beforeAll(async () => {
  await engineReady(reading);
  await dialogue.complete(agent);
});
afterAll(async () => {
  await dialogue.close();
  await reading.close();
});

test('a remark with a farewell is a farewell', async () => {
  const reply = await aCall()('How much is a cello?', "Super, that's me all set up. Bye!");
  expect(reply).toMatchObject({ outcome: 'social', leavesTo: 'end' });
});

test('what their case is gets the rule for it, though it was told a moment ago', async () => {
  const reply = await aCall()('When is the evening choir?', 'It was an operation of the throat.');
  expect(reply).toMatchObject({ outcome: 'answered', text: expect.stringContaining('eight weeks') });
});

describe('what puts a question right is no refusal', () => {
  test.each(['No, singing, not the violin.', 'No, I meant singing lessons.'])('%s', async (text) => {
    const reply = await aCall()('When are violin lessons?', text);
    expect(reply.outcome).not.toBe('social');
    expect(reply.text).toContain('Thursdays');
  });
});

test('a language that the text tells of is a topic', async () => {
  const reply = await aCall()("When is the children's choir?", 'Do they do that in German?');
  expect(reply.text).not.toMatch(/only speak English/);
});

describe('whether somebody is heard is asked by who asks that', () => {
  test('not at the end of what they tell', async () => {
    const reply = await aCall()(
      'I have sent in far too many sheets of music this term. Is everything blocked now?',
    );
    expect(reply.text).not.toMatch(/hear you/);
  });

  test.each(['Are you even listening to me?', 'Hello? Is anybody alive on this line?'])(
    'but so: %s',
    async (text) => {
      expect((await aCall()(text)).text).toMatch(/hear you/);
    },
  );
});
