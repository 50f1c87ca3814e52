import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReading } from '#server/engines/reading/index';
import { engineReady, PATIENT } from '../../../tests/support/engine-ready.ts';
import type { AgentProfile } from '../contract.ts';
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

beforeAll(async () => {
  await engineReady(reading);
  await dialogue.complete(agent);
});
afterAll(async () => {
  await dialogue.close();
  await reading.close();
});

async function answer(text: string) {
  for await (const event of dialogue.respond({ agent, history: [], text }, new AbortController().signal))
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
