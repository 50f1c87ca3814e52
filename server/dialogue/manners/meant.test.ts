import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReading } from '#server/engines/reading/index';
import { engineReady, PATIENT } from '../../../tests/support/engine-ready.ts';
import type { AgentProfile, CustomerTurn, DialogueMessage, WholeReply } from '../contract.ts';
import { createDialogue } from '../respond.ts';

const agent: AgentProfile = {
  id: 'boats',
  revision: '1',
  name: 'Nora',
  companyName: 'Reed Boats',
  language: 'en',
  personality: 'Plain and clear',
  prompts: [],
  companyInfo: `# Reed Boats

## Opening hours

The jetty is open daily from 0:00 to 23:59, the whole year.

## Prices

A rowing boat costs £12 an hour and a pedal boat £15.

## Languages

Our guides on the tours speak English, Dutch and Italian.
`,
};

const reading = createReading();
const dialogue = createDialogue({ ...PATIENT, reading, timeZone: 'Europe/London' });
beforeAll(async () => {
  await engineReady(reading);
  await dialogue.complete(agent);
});
afterAll(async () => {
  await dialogue.close();
  await reading.close();
});

const talk = (...texts: string[]) => talkBy('text', ...texts);

async function talkBy(channel: CustomerTurn['channel'], ...texts: string[]): Promise<WholeReply> {
  const history: DialogueMessage[] = [];
  let last: WholeReply | null = null;
  for (const text of texts) {
    for await (const event of dialogue.respond(
      { agent, history, text, channel },
      new AbortController().signal,
    ))
      if (event.type === 'reply') last = event;
    history.push(
      { role: 'user', content: text },
      { role: 'assistant', content: last?.text ?? '', state: last?.state },
    );
  }
  if (!last) throw new Error('Nothing was said.');
  return last;
}

describe('what is said to whoever answers', () => {
  test.each([
    ["You're human, right?", /automated assistant and not a person/],
    ['Am I through to a machine here?', /automated assistant/],
    ['What was your name again?', /Nora/],
    ['Could you run that by me once more?', /^.{10}/],
    ['Give me a sec, the kettle is boiling.', /listening|your time/],
    ['Hablan ustedes español?', /^Lo siento, solo hablo inglés\./],
    ['The line is awful, do you hear me at all?', /hear you/],
    ['Just get me your boss on the phone.', /colleague/],
    ["I think I've dialled the wrong number, I wanted the bakery.", /No harm done/],
    ["It's pouring here today, terrible.", /weather/],
    ['What day is it today?', /day \d{1,2} \w+, \d{1,2}:\d\d [ap]m at Reed Boats/],
    ['Are you open now?', /^Yes, we're open now, until 23:59\./],
    ['Is the shop open still?', /^Yes, we're open now/],
    ['Can I still come by today?', /^Yes, we're open now/],
    ["I didn't get that, sorry", /^(?!.*(?:answer|information|guess))/],
    ['Am I obliged to give you my number?', /^(?!.*(?:answer|information|guess)).*colleague/],
    ["oh it's fine, don't worry about it", /^(?!.*\babout that\b)/],
  ])('%s', async (text, expected) => {
    const reply = await talk('Hello', text);
    expect(reply.text).toMatch(expected);
    expect(reply.text).not.toMatch(/Do you mean|Perhaps/);
  });

  test.each([
    ['How much is a pedal boat?', '£15'],
    ['Which languages do the guides speak?', 'Dutch'],
    ['When are you open on Sundays?', '23:59'],
  ])('a question to the business is none of that: %s', async (text, fact) => {
    expect((await talk(text)).text).toContain(fact);
  });

  test('what is waited for still is after it', async () => {
    const say = ['I want to talk to a person', 'Why do you need my number?'];
    expect((await talk(...say)).text).toMatch(/colleague/);
    expect((await talk(...say, '07700 900417')).contact).toMatchObject({ phone: '07700 900417' });
  });
});

test('more is told to whoever asks for more, once', async () => {
  const more = await talk('How much is a rowing boat?', 'Tell me more.');
  expect(more.outcome).toMatch(/answered|declined/);
});

describe('who asks for a moment', () => {
  test.each([
    'Hold on a second.',
    'One moment, let me look for it.',
    'Just a minute, I have to fetch my glasses.',
    'Give me a sec, the kettle is boiling.',
  ])('is waited for in silence where they are heard, and with a word where they read: %s', async (text) => {
    for (const channel of ['voice', 'room'] as const)
      expect(await talkBy(channel, 'Hello', text)).toMatchObject({ text: '', leavesTo: 'wait' });
    expect(await talkBy('text', 'Hello', text)).toMatchObject({
      text: expect.stringMatching(/^.{5,40}$/),
      leavesTo: 'wait',
    });
  });

  test('is still asked for what they were', async () => {
    const before = ['I want to talk to a person', 'Hang on, let me get my phone.'];
    expect((await talkBy('voice', ...before, '07700 900417')).contact).toMatchObject({
      phone: '07700 900417',
    });
  });
});

describe('a call is left to its end', () => {
  test.each([
    'Goodbye.',
    'Thanks, bye!',
    // As speech recognition writes it.
    'Thank you very much, good-by.',
    'Right, I have to run. Take care now.',
    'Cheerio, have a good evening.',
  ])('after a goodbye from both: %s', async (text) => {
    expect(await talk('How much is a pedal boat?', text)).toMatchObject({
      text: expect.stringMatching(/bye|day/i),
      leavesTo: 'end',
    });
  });

  test.each([
    ["Yes, that's it."],
    ['That one, yes, exactly.'],
    ['Thank you.'],
    ['No, thanks.'],
    ['Okay.'],
    ['Goodbye parties, can I have one on a boat?'],
  ])('and after nothing else: %s', async (text) => {
    for (const before of [
      'How much is a pedal boat?',
      'Do you have something for the rain?',
      'Can a person call me?',
    ])
      expect(await talk(before, text), before).not.toHaveProperty('leavesTo');
  });
});
