import { describe, expect, test } from 'vitest';
import { packOf } from '#server/languages/index';
import type { AgentVoice } from './contract.ts';
import { isEcho as isEchoOf } from './echo.ts';
import { judgeTalkOver as judgeOf, type SpeechOverAgent } from './talk-over.ts';

const { turnTaking: english } = packOf('en');
const heard = (text: string, spokenMs: number): AgentVoice => ({
  text,
  spokenMs,
  expects: english.expectedAnswer(text),
});
const agent = heard(
  'Our shop is open from nine to five on weekdays and from ten to two on Saturdays.',
  2_000,
);
const judgeTalkOver = (speech: Partial<SpeechOverAgent>) =>
  judgeOf(
    {
      text: '',
      voicedMs: 500,
      ended: true,
      agent,
      overVoice: true,
      stoppedWithAgent: false,
      asQuietAsEcho: false,
      mayBeEcho: false,
      ...speech,
    },
    english,
  ).kind;
const judge = (text: string, options: { voicedMs?: number; ended?: boolean } = {}) =>
  judgeTalkOver({ text, ...options });
const isEcho = (text: string, of: AgentVoice, isLikely = false) =>
  isEchoOf(english.wordsOf(text), of, english, isLikely);
const lines = (text: string) => text.split('|').map((line) => line.trim());

describe('speech over the agent', () => {
  test.each(
    lines(`Mhm. | Mm-hmm. | Uh-huh. | Okay. | Yeah. | Right. | I see. | Got it. | Thanks. | Thank you. | Sure. | Oh, okay. |
      Yeah, okay. | Okay, great. | That makes sense. | Alright. | Yes. | Oh. | Hmm. | No problem. | Okay, got it, thanks.`),
  )('"%s" is a sign of attention', (text) => {
    expect(judge(text, { voicedMs: 700 })).toBe('agreement');
  });

  test.each(lines('Im hem, | M. Hemp, | M. Ham, | Ahoy! | Fair.'))(
    '"%s" is what recognition makes of a hum',
    (text) => {
      expect(judge(text)).toBe('agreement');
    },
  );

  test.each(
    lines(
      'Amen. | My home. | Write Ok. | Wright here, okay | Yeah, her, okay. | Yuppa, | God, it thinks. | Hm writes',
    ),
  )('"%s", said in less than a second, sounds like one', (text) => {
    expect(judge(text, { voicedMs: 580 })).toBe('agreement');
    expect(judge(text, { voicedMs: 580, ended: false })).toBe('unsure');
  });

  test.each(lines('Write Ok. | God, it thinks.'))(
    '"%s" sounds like one however slowly it is said',
    (text) => {
      expect(judge(text, { voicedMs: 1_000 })).toBe('agreement');
    },
  );

  test.each(lines('The house. | Of her. | My own hat. | Crazy | Those wild.'))(
    'in a moment nobody says "%s", in a second they do',
    (text) => {
      expect(judge(text, { voicedMs: 450 })).toBe('agreement');
      expect(judge(text, { voicedMs: 950 })).toBe('claim');
    },
  );

  test.each(
    lines(
      'Hey. | Hello? | When? | Sorry. | Go back. | Next. | Monday. | Not that one. | Operator. | Cancel that.',
    ),
  )('"%s" is meant, however short', (text) => {
    expect(judge(text, { voicedMs: 350 })).toBe('claim');
  });

  test('before the reply is heard a few short words belong to the turn', () => {
    expect(judgeTalkOver({ text: 'in Berlin', voicedMs: 450, ended: true, agent: null })).toBe('claim');
  });

  test.each(
    lines(`No. | Stop. | Wait. | Hold on. | Excuse me. | Actually, I meant the other one. | Help. | Okay, but what about Sunday? |
      What? | Why | Can you repeat that? | What about Sunday? | Yes, and can I park there? | I have a question. | Hello? | More slowly. |
      That's not what I asked. | Sorry, what? | One second. | Thanks, but I need the address. | Operator.`),
  )('"%s" takes the floor', (text) => {
    expect(judge(text, { voicedMs: 800 })).toBe('claim');
  });

  test.each(lines('Stop | No | Wait | Hold on | Excuse me'))(
    '"%s" does so while it is being said',
    (text) => {
      expect(judge(text, { ended: false })).toBe('claim');
    },
  );

  test.each(lines('I | That makes | Okay | Mm | What ab | Uh'))(
    'half a second of "%s" tells nothing yet',
    (text) => {
      expect(judge(text, { ended: false })).toBe('unsure');
    },
  );

  test('whoever goes on agreeing for long wants to say something', () => {
    expect(judge('okay okay', { ended: false, voicedMs: 1_300 })).toBe('unsure');
    expect(judge('okay okay', { ended: false, voicedMs: 1_700 })).toBe('claim');
  });

  test('a sentence made of a bang is noise', () => {
    expect(judge('Thank you for watching this video today.', { voicedMs: 100 })).toBe('noise');
    expect(judge('')).toBe('noise');
  });

  test('"yes" to the question the agent is just finishing is an answer', () => {
    const asking = heard('Your order is late. Shall I cancel it?', 2_200);
    expect(judgeTalkOver({ text: 'Yes.', voicedMs: 300, ended: true, agent: asking })).toBe('claim');
    expect(judgeTalkOver({ text: 'Yes.', voicedMs: 300, ended: true, agent })).toBe('agreement');
  });
});

describe('echo', () => {
  test.each(
    lines(
      'our shop is open | Our shop is open from nine to five. | hour shop is opened from | shop is open from line',
    ),
  )('"%s" is the agent itself', (text) => {
    expect(isEcho(text, { ...agent, spokenMs: 2_500 })).toBe(true);
    expect(judge(text, { voicedMs: 2_000 })).toBe('echo');
  });

  test.each(lines('what about Sunday | is it open today | can I come at nine | please stop'))(
    '"%s" is the customer',
    (text) => {
      expect(isEcho(text, { ...agent, spokenMs: 2_500 })).toBe(false);
    },
  );

  test("a fragment that ends with the agent's voice is its echo, unless it is meant", () => {
    const fragment = (text: string) =>
      judgeTalkOver({ text, voicedMs: 250, ended: true, agent, stoppedWithAgent: true });
    for (const text of ['You game', 'Where', 'Upwork']) expect(fragment(text), text).toBe('echo');
    expect(fragment('Okay.')).toBe('agreement');
    for (const text of ['Stop.', 'No.', 'What?']) expect(fragment(text), text).toBe('claim');
  });

  test.each(lines('sharp is often form nine too | ower chopper is open frown night'))(
    '"%s" is the agent itself where it is no louder than its echo',
    (text) => {
      expect(isEcho(text, { ...agent, spokenMs: 2_500 })).toBe(false);
      expect(isEcho(text, { ...agent, spokenMs: 2_500 }, true)).toBe(true);
    },
  );

  test.each(
    lines(
      'what about Sunday and Monday morning then | can you tell me your address please | I would rather talk to a human',
    ),
  )('"%s" is the customer, however quiet', (text) => {
    const quiet = { text, voicedMs: 2_000, ended: false, agent, asQuietAsEcho: true };
    expect(judgeTalkOver(quiet)).toBe('claim');
    expect(judgeTalkOver({ ...quiet, text: `our shop is open ${text}` })).toBe('claim');
  });

  test('a few words no louder than the echo do not interrupt, not even "stop"', () => {
    for (const text of ['stop', 'Darwin', 'Bye, Bon.'])
      expect(judgeTalkOver({ text, voicedMs: 500, ended: true, agent, asQuietAsEcho: true })).toBe('echo');
  });

  test("a command that the agent itself is just saying is its echo where it ends with the agent's voice", () => {
    const sorry = {
      text: 'Sorry.',
      voicedMs: 300,
      ended: true,
      agent: heard('I am sorry to hear that.', 700),
    };
    expect(judgeTalkOver({ ...sorry, stoppedWithAgent: true })).toBe('echo');
    expect(judgeTalkOver(sorry)).toBe('claim');
  });

  test('a number is an echo also where it is written as digits', () => {
    expect(isEcho('open from 9 to 5', { ...agent, spokenMs: 2_500 })).toBe(true);
  });

  test('what the agent has not said yet is no echo', () => {
    expect(isEcho('ten to two on Saturdays', { ...agent, spokenMs: 500 })).toBe(false);
    expect(isEcho('ten to two on Saturdays', { ...agent, spokenMs: 5_000 })).toBe(true);
  });
});
