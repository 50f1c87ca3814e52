import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReading } from '#server/engines/reading/index';
import { engineReady, PATIENT } from '../../../tests/support/engine-ready.ts';
import type { AgentProfile, CustomerTurn } from '../contract.ts';
import { createDialogue } from '../respond.ts';

const reading = createReading();
const dialogue = createDialogue({ ...PATIENT, reading });
const agent: AgentProfile = {
  id: 'gym',
  revision: '1',
  name: 'Mia',
  companyName: 'Northside Gym',
  language: 'en',
  personality: 'Friendly',
  companyInfo: `# Northside Gym

## Membership
A membership costs 39 euros a month. It can be ended with one month's notice.

## Classes
Yoga takes place on Mondays at six. Boxing, unfortunately, is full until May.

## Lockers
Lockers are free. A lost key costs 15 euros.`,
  prompts: [
    'Greet callers with "Northside Gym, Mia speaking."',
    'When asked for a discount, say "Our prices are the same for everybody. Students pay 29 euros."',
    'If a customer was injured, hand over to a colleague.',
    'Never say "unfortunately". Do not mention keys.',
    'End every call with "Keep moving!"',
  ],
};

const decided: AgentProfile = {
  ...agent,
  id: 'decided-gym',
  sayings: {
    greeting: 'Hello from the gym!',
    goodbye: 'See you on the mat.',
    answers: [
      {
        about: 'a discount\nis there something off for students?',
        say: 'Everybody pays the same. Ask us again in May, when the campaign begins.',
      },
      { about: 'swimming lessons for children', say: 'The next course begins in September.' },
    ],
    neverSay: ['boxing'],
    handOverWhen: ['an injury', 'a lawyer'],
  },
};

beforeAll(async () => {
  await engineReady(reading);
  await dialogue.complete(agent);
  await dialogue.complete(decided);
});
afterAll(async () => {
  await dialogue.close();
  await reading.close();
});

async function answer(text: string, by = agent, history: CustomerTurn['history'] = []) {
  for await (const event of dialogue.respond({ agent: by, history, text }, new AbortController().signal))
    if (event.type === 'reply') return event;
  throw new Error('no reply');
}

describe('an agent without a language model', () => {
  it('begins and ends as its business told it', async () => {
    expect(dialogue.greet(agent)).toBe('Northside Gym, Mia speaking.');
    expect((await answer('Thank you, goodbye!')).text).toBe('Keep moving!');
  });

  it('says a fixed sentence word for word when it is asked for that', async () => {
    const { text, outcome } = await answer('Could you give me a discount?');
    expect(text).toBe('Our prices are the same for everybody. Students pay 29 euros.');
    expect(outcome).toBe('answered');
  });

  it('hands over what it was told to, and goes on to ask how they can be reached', async () => {
    const { text, outcome } = await answer('I was injured on the treadmill yesterday.');
    expect(outcome).toBe('handover');
    expect(text).toMatch(/colleague/);
  });

  it('answers everything else from what it knows', async () => {
    expect((await answer('How much is a membership?')).text).toMatch(/39 euros/);
  });

  it('leaves out what it must never say, and does not answer with what is left', async () => {
    expect((await answer('When does yoga take place?')).text).toMatch(/Mondays at six/);
    expect((await answer('When does boxing start again?')).text).not.toMatch(/unfortunately/i);
    const { text, outcome } = await answer('What does a lost key cost?');
    expect(text).not.toMatch(/\bkey/);
    expect(outcome).not.toBe('answered');
  });
});

describe('what a business decided in the fields for it', () => {
  it('is said in the place of what its prompts say', async () => {
    expect(dialogue.greet(decided)).toBe('Hello from the gym!');
    expect((await answer('Thank you, goodbye!', decided)).text).toBe('See you on the mat.');
  });

  it('is greeted as ever where the field is left blank on purpose', () => {
    const greeting = dialogue.greet({ ...decided, sayings: { ...decided.sayings, greeting: '' } });
    expect(greeting).toMatch(/Northside Gym/);
    expect(greeting).not.toBe('Northside Gym, Mia speaking.');
  });

  it('leaves what it decided in no field to the prompts, as before', async () => {
    const partly = { ...agent, id: 'partly', sayings: { greeting: 'Hello!' } };
    expect(dialogue.greet(partly)).toBe('Hello!');
    expect((await answer('Thank you, goodbye!', partly)).text).toBe('Keep moving!');
    expect((await answer('Could you give me a discount?', partly)).text).toMatch(/^Our prices are the same/);
  });

  it.each(['Can you give me a discount?', 'Do students get something off?'])(
    'is said word for word, and whole: %s',
    async (text) => {
      const reply = await answer(text, decided);
      expect(reply.text).toBe('Everybody pays the same. Ask us again in May, when the campaign begins.');
      expect(reply.outcome).toBe('answered');
      expect(reply.citations.map((citation) => citation.text)).toEqual([
        'Everybody pays the same.',
        'Ask us again in May, when the campaign begins.',
      ]);
    },
  );

  it('is found by its meaning, in words that it does not have', async () => {
    const { text } = await answer('Do you teach kids to swim?', decided);
    expect(text).toBe('The next course begins in September.');
  });

  it.each(['When does yoga take place?', 'How much is a membership?', 'What does a lost key cost?'])(
    'is not said to something else: %s',
    async (text) => {
      expect((await answer(text, decided)).text).not.toMatch(/Everybody pays|September/);
    },
  );

  it('is named where it is perhaps meant, and told to those who mean it', async () => {
    const asked = await answer('When is the pool open?', decided);
    expect(asked.text).not.toMatch(/September/);
    expect(asked.text).toMatch(/swimming lessons for children/i);
    expect(asked.outcome).toBe('asked-back');
    const history = [
      { role: 'user' as const, content: 'When is the pool open?' },
      { role: 'assistant' as const, content: asked.text, state: asked.state },
    ];
    expect((await answer('swimming lessons for children', decided, history)).text).toMatch(
      /The next course begins in September\./,
    );
  });

  it('answers both of two questions', async () => {
    const { text } = await answer('Can you give me a discount? And when does yoga take place?', decided);
    expect(text).toMatch(/Everybody pays the same/);
    expect(text).toMatch(/Mondays at six/);
  });

  it('hands over, and never says what it must not', async () => {
    expect((await answer('I was injured on the treadmill yesterday.', decided)).outcome).toBe('handover');
    expect((await answer('You will hear from my lawyer.', decided)).outcome).toBe('handover');
    expect((await answer('When does boxing start again?', decided)).text).not.toMatch(/boxing/i);
    // The decided field replaces the prompts' rule.
    expect((await answer('What does a lost key cost?', decided)).text).toMatch(/15 euros/);
  });
});
