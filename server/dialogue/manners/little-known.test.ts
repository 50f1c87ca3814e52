import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReading } from '#server/engines/reading/index';
import { engineReady, PATIENT } from '../../../tests/support/engine-ready.ts';
import { createDialogue } from '../respond.ts';

const reading = createReading();
const dialogue = createDialogue({ ...PATIENT, reading });
beforeAll(() => engineReady(reading));
afterAll(async () => {
  await dialogue.close();
  await reading.close();
});

const hours = '# Opening hours\n\nWe are open Monday to Friday from nine to six.';
const parking = '# Parking\n\nThe car park behind the shop costs £4 a day.';
const companies: [string, string][] = [
  ['one passage', hours],
  ['two passages', `${hours}\n\n${parking}`],
];

/** The first answer of a new agent with only this knowledge. */
async function ask(companyInfo: string, text: string) {
  const agent = {
    id: companyInfo,
    revision: '1',
    name: 'Luna',
    companyName: 'Harbor Lane Cycles',
    language: 'en',
    personality: 'Friendly and brief.',
    prompts: [],
    companyInfo,
  };
  await dialogue.complete(agent);
  const events = dialogue.respond({ agent, history: [], text }, new AbortController().signal);
  for await (const event of events) if (event.type === 'reply') return event;
  throw new Error('The turn ended without a reply.');
}

describe.each(companies)('an agent that knows %s', (_, companyInfo) => {
  test.each([
    'Do you sell live penguins?',
    'Do you have a sauna?',
    'How much is a ticket to the moon?',
    'What is your refund policy?',
    'Who founded the company?',
    'Can I bring my grandmother?',
  ])('does not answer with it what it does not say: %s', async (question) => {
    const reply = await ask(companyInfo, question);
    expect(reply.outcome).not.toBe('answered');
  });

  test.each(['When are you open?', 'What are your opening hours?'])(
    'answers what it says: %s',
    async (question) => {
      const reply = await ask(companyInfo, question);
      expect(reply.outcome).toBe('answered');
      expect(reply.text).toContain('from nine to six');
    },
  );
});
