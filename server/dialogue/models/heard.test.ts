import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CompletionRequest, LanguageEngine } from '#server/engines/language/contract';
import { createFakeLanguage } from '#server/engines/language/fake';
import type { Checking } from '#shared/engine-settings';
import type { DialogueMessage, WholeReply } from '../contract.ts';
import { createDialogue } from '../respond.ts';

const agent = {
  id: 'dentist',
  revision: '1',
  name: 'Ada',
  companyName: 'Copper Mill Dental',
  language: 'en',
  personality: 'Plain',
  companyInfo: `# Opening hours
Mon 8.30–5.00, Tue 8.30–7.00, Sat closed.
# Prices
Crown: £695. You pay half of it up front.
Check-up: £42 for adults, £21 for children.
# Numbers we do not accept
We do not accept:
- Google Voice or similar VoIP (Voice over Internet Protocol) numbers from any provider, at home or abroad`,
  prompts: ['Secret voucher: OWL-7731.'],
};

const lastOf = ({ messages }: CompletionRequest): string => {
  const last = messages.at(-1);
  return last && last.role !== 'tool' ? last.content : '';
};

/** The model's answer to the customer, and its verdict on a sentence. */
let says: string | ((request: CompletionRequest) => string) = '';
let verdict: (sentence: string) => string = () => 'yes';
let checking: Checking = 'doubtful';
const asked: string[] = [];
const fake = createFakeLanguage((request) => {
  const last = lastOf(request);
  if (/^Sentence: /.test(last)) {
    asked.push(last);
    return verdict(last);
  }
  return typeof says === 'string' ? says : says(request);
});
const model: LanguageEngine = {
  ...fake,
  get checking() {
    return checking;
  },
};
const dialogue = createDialogue({ models: () => [model], reading: null, timeZone: 'Europe/London' });
beforeEach(() => {
  verdict = () => 'yes';
  checking = 'doubtful';
  asked.length = 0;
  fake.requests.length = 0;
});
afterAll(() => dialogue.close());

async function replyTo(
  text: string,
  words: typeof says,
  { history = [], language = 'en' }: { history?: DialogueMessage[]; language?: string } = {},
): Promise<WholeReply> {
  says = words;
  const turn = { agent: { ...agent, language }, history, text };
  for await (const event of dialogue.respond(turn, new AbortController().signal))
    if (event.type === 'reply') return event;
  throw new Error('There was no reply.');
}

describe('what a model says is heard', () => {
  it.each([
    ["Thanks, that's all.", "You're very welcome, have a lovely day!"],
    ['What time do you close on Tuesdays?', "We're open until 7 in the evening on Tuesdays [1]."],
    ['How much up front for a crown?', 'You’d pay £347.50 up front, which is half of the £695 [1].'],
    ['Two adults and a child, what is a check-up?', 'That comes to £105 for the three of you [1].'],
    [
      'Can I use my Google Voice number?',
      "No, internet numbers like Google Voice don't work here, I'm afraid [1].",
    ],
    ['My crown fell out', 'Oh no, that must be unpleasant. A new one is £695 [1]. Which tooth is it?'],
    ['Are you a person?', "I'm Ada, an automated assistant."],
  ])('%s', async (question, words) => {
    const { text } = await replyTo(question, words);
    expect(text).toBe(words.replace(/ \[\d\]/g, ''));
  });

  it.each([
    ['Wann habt ihr dienstags offen?', 'Dienstags haben wir von 8:30 bis 19 Uhr geöffnet [1].', 'de'],
    ['¿Cuánto cuesta una corona?', 'Una corona cuesta 695 libras [1].', 'es'],
    ['Merci, au revoir !', 'Avec plaisir, bonne journée !', 'fr'],
  ])('in the language of the customer: %s', async (question, words, language) => {
    for (const agents of [language, 'en'])
      expect((await replyTo(question, words, { language: agents })).text).toBe(words.replace(' [1]', ''));
  });

  it('as plain text, without its thinking', async () => {
    const { text, citations } = await replyTo(
      'What is a crown?',
      '<think>They ask for the crown. £700?</think>## Crown\n\n**£695** for a crown (see [1]).<|im_end|>',
    );
    expect(text).toBe('Crown £695 for a crown.');
    expect(citations).toHaveLength(1);
  });
});

describe('a doubtful sentence', () => {
  const question = 'What is a crown?';
  const doubtful = 'A crown is £695 and you pay all of it at the end [1].';

  it('is put to the model with what it rests on, and said if that says yes', async () => {
    expect((await replyTo(question, doubtful)).text).toBe(doubtful.replace(' [1]', ''));
    expect(asked).toEqual([`Sentence: ${doubtful.replace(' [1]', '')}`]);
    const request = fake.requests.find((each) => lastOf(each).startsWith('Sentence: '));
    expect(request?.knowledge).toContain('You pay half of it up front.');
    expect(request?.knowledge).toContain(question);
  });

  it('gives way to another of the model’s, told what may not be said', async () => {
    verdict = (sentence) => (sentence.includes('all of it') ? 'No.' : 'Yes.');
    const { text } = await replyTo(question, (request) =>
      lastOf(request).includes('may not be said') ? 'A crown is £695, half of it up front [1].' : doubtful,
    );
    expect(text).toBe('A crown is £695, half of it up front.');
  });

  it('else to what the business says to the question', async () => {
    verdict = () => 'no';
    const { text, outcome } = await replyTo(question, doubtful);
    expect(text).toContain('Crown: £695.');
    expect(outcome).toBe('answered');
  });

  it('is judged by the embedded reader where the model says neither', async () => {
    verdict = () => 'Well, it depends on many things.';
    expect((await replyTo(question, 'A crown is £695 [1].')).text).toBe('A crown is £695.');
  });

  it('is not asked about in grade strict', async () => {
    checking = 'strict';
    await replyTo(question, doubtful);
    expect(asked).toEqual([]);
  });

  it('is every one that states something in grade every', async () => {
    checking = 'every';
    await replyTo(question, 'Thanks for asking! Crown: £695 [1].');
    expect(asked).toEqual(['Sentence: Crown: £695.']);
  });
});

describe('what is surely wrong is not heard, whatever the model thinks of it', () => {
  it.each([
    ['a figure', 'A crown is £755 [1].', '755'],
    ['an address', 'Write to crowns@mill.example, please.', 'crowns@'],
    ['a deed', "I've booked you in for a crown.", 'booked'],
    ['a figure in another language', 'Una corona cuesta 755 libras [1].', '755'],
  ])('%s', async (_, words, part) => {
    const { text } = await replyTo('What is a crown?', words);
    expect(text).not.toContain(part);
  });

  it('a figure in another language, whatever the clock shows', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      for (let minute = 0; minute < 60; minute++) {
        vi.setSystemTime(new Date(2027, 4, 12, 6, minute));
        const { text } = await replyTo('What is a crown?', 'Una corona cuesta 755 libras [1].');
        expect([minute, text]).toEqual([minute, expect.not.stringContaining('755')]);
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it('a decline never follows what was true', async () => {
    const { text } = await replyTo(
      'What is a crown?',
      'That sounds painful, sorry. A crown is £695 [1]. It takes 19 visits. Shall I look up anything else?',
    );
    expect(text).toBe('That sounds painful, sorry. A crown is £695. Shall I look up anything else?');
  });
});

describe('the outcome goes by what was done', () => {
  it.each([
    ['cites', 'What is a crown?', 'A crown is £695 [1].', 'answered'],
    [
      'does not know',
      'Do you sell skis?',
      "I don't have that, shall a colleague get back to you? [0]",
      'declined',
    ],
    ['asks back', 'What is the price?', 'Do you mean a crown or a check-up?', 'asked-back'],
    ['is kind', 'Thanks!', 'My pleasure.', 'social'],
    [
      'declines in German',
      'Verkauft ihr Skier?',
      'Das weiß ich leider nicht. Soll sich jemand melden? [0]',
      'declined',
    ],
  ])('%s', async (_, question, words, outcome) => {
    expect((await replyTo(question, words)).outcome).toBe(outcome);
  });
});

describe('what the customer leaves', () => {
  it('is kept and read back as without a model', async () => {
    const first = await replyTo('a human please', 'never');
    expect(first.outcome).toBe('handover');
    const history: DialogueMessage[] = [
      { role: 'user', content: 'a human please' },
      { role: 'assistant', content: first.text, state: first.state },
    ];
    const second = await replyTo('086 555 0192', 'never', { history });
    expect(second.contact?.phone?.replaceAll(' ', '')).toBe('0865550192');
    expect(fake.requests).toEqual([]);
  });

  it('is told by the model as a call, in any language', async () => {
    let n = 0;
    const { contact, outcome } = await replyTo('Bitte rufen Sie mich an, Lena, 086 555 0192', () =>
      n++ === 0
        ? '<tool_call>{"name":"pass_to_colleague","arguments":{"name":"Lena","phone":"086 555 0192"}}</tool_call>'
        : 'Danke, Lena, ein Kollege meldet sich unter 086 555 0192.',
    );
    expect(contact).toMatchObject({ name: 'Lena', phone: '086 555 0192' });
    expect(outcome).toBe('handover');
  });
});

it('knows what day and time it is where the business is, and keeps it out of what is the same in each turn', async () => {
  await replyTo('Are you open now?', 'One moment.');
  const [request] = fake.requests;
  expect(request?.knowledge).toMatch(/^It is \w+day,? \d+ \w+ \d{4} at \d\d:\d\d where the business is/);
  expect(request?.instructions).not.toMatch(/It is \w+day/);
});

it.each([
  ['only thinks', '<think>Hm. £695?'],
  ['says nothing', ' '],
  ['answers in JSON without an answer', '{"steps": []}'],
  ['calls a tool that is not there', '<tool_call>{"name":"fly","arguments":{}}</tool_call>'],
])('where a model %s the embedded reader answers', async (_, words) => {
  expect((await replyTo('What is a crown?', words)).text).toContain('£695');
});
