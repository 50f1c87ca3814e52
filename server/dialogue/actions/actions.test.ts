import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createReading } from '#server/engines/reading/index';
import { engineReady, PATIENT } from '../../../tests/support/engine-ready.ts';
import type {
  ActionCall,
  ActionResult,
  AgentAction,
  AgentProfile,
  DialogueMessage,
  ReplyEvent,
  RunAction,
  WholeReply,
} from '../contract.ts';
import { createDialogue } from '../respond.ts';

const agent: AgentProfile = {
  id: 'shop',
  revision: '1',
  ownerId: 'owner',
  name: 'Ada',
  companyName: 'Copper Mill',
  language: 'en',
  personality: 'Plain and clear',
  prompts: [],
  companyInfo: `# Copper Mill

## Delivery

Delivery within the country takes 3 to 5 business days and costs $5.90.

## Returns

Items can be returned within 45 days. A refund reaches your account within 5 working days. Gift cards cannot be returned.

## Stores

Our stores are in Leeds and York and open from 9 am to 6 pm. A repair appointment is free.
`,
};

const order = {
  name: 'order',
  label: 'Order number',
  type: 'digits',
  pattern: '\\d{4}',
  required: true,
} as const;
const actions: AgentAction[] = [
  {
    id: 'status',
    name: 'Order status',
    when: 'The customer asks where their order is or when it will arrive.',
    inputs: [order],
    confirm: false,
  },
  {
    id: 'refund',
    name: 'Ask for a refund',
    when: 'The customer wants their money back for an order.',
    inputs: [order],
    confirm: true,
  },
  {
    id: 'book',
    name: 'Book an appointment',
    when: 'The customer wants to book a repair appointment in a store.',
    inputs: [
      { name: 'day', label: 'Day', type: 'date', required: true },
      { name: 'name', label: 'Name for the appointment', type: 'text', required: true },
    ],
    confirm: true,
  },
];

const reading = createReading();
const dialogue = createDialogue({ ...PATIENT, reading });
beforeAll(async () => {
  await engineReady(reading);
  await dialogue.complete(agent);
});
afterAll(async () => {
  await dialogue.close();
  await reading.close();
});

const done = (said: string): ActionResult => ({ outcome: 'done', said, answer: {}, isRepeated: false });

/** A call whose state travels as JSON, as in a database. */
function aCall(answer: (call: ActionCall) => ActionResult = () => done('It is on its way.'), list = actions) {
  const history: DialogueMessage[] = [];
  const ran: ActionCall[] = [];
  const run: RunAction = async (call) => {
    ran.push(call);
    return answer(call);
  };
  const say = async (text: string): Promise<WholeReply> => {
    const events: ReplyEvent[] = [];
    const turn = { agent, history: [...history], text, actions: { list, taken: Promise.resolve(run) } };
    for await (const event of dialogue.respond(turn, new AbortController().signal)) events.push(event);
    const last = events.at(-1);
    if (last?.type !== 'reply') throw new Error('A turn ended without a reply.');
    const sentences = events.flatMap((event) => (event.type === 'sentence' ? [event] : []));
    expect(sentences.map(({ text }) => text).join(' ')).toBe(last.text);
    expect(sentences.map(({ index, isLast }) => [index, isLast])).toEqual(
      sentences.map((_, place) => [place, place === sentences.length - 1]),
    );
    const state: unknown = JSON.parse(JSON.stringify(last.state ?? null));
    history.push({ role: 'user', content: text }, { role: 'assistant', content: last.text, state });
    return last;
  };
  return { say, ran };
}

describe('which action a message wants', () => {
  it.each([
    ['Where is my order 4471?', 'status'],
    ['I ordered a lamp two weeks ago and it has not arrived', 'status'],
    ['Has my parcel been shipped yet?', 'status'],
    ['I want my money back', 'refund'],
    ['Can I get a refund for it?', 'refund'],
    ['The kettle I bought is broken, please refund it', 'refund'],
    ["I'd like to make an appointment", 'book'],
    ['Can you book me in for a repair?', 'book'],
  ])('%s', async (text, wanted) => {
    const { say, ran } = aCall();
    const { state, text: said } = await say(text);
    const asked = (state as { pending: { actionId?: string } | null }).pending?.actionId;
    expect(asked ?? ran[0]?.actionId, said).toBe(wanted);
  });

  it.each([
    'How long does delivery take?',
    'Can I return gift cards?',
    'Where are your stores?',
    'When does a refund arrive?',
    'What does an appointment cost?',
    'Thank you',
    'My kettle smokes',
    'Do you sell bicycles?',
  ])('none: %s', async (text) => {
    const { say, ran } = aCall();
    const reply = await say(text);
    const without: ReplyEvent[] = [];
    for await (const event of dialogue.respond({ agent, history: [], text }, new AbortController().signal))
      without.push(event);
    expect(reply).toEqual(without.at(-1));
    expect(ran).toEqual([]);
  });
});

describe('an action whose inputs are known', () => {
  it('is run at once, and what may be said is said', async () => {
    const { say, ran } = aCall(() => done('Your order is packed. It arrives on Friday.'));
    const reply = await say('Where is my order 4471?');
    expect(ran).toEqual([{ actionId: 'status', inputs: { order: '4471' } }]);
    expect(reply.text).toMatch(/^One moment.* Your order is packed\. It arrives on Friday\.$/);
    expect(reply.outcome).toBe('answered');
  });

  it.each([
    'four four seven one',
    'forty-four seventy-one',
    "It's four thousand four hundred and seventy-one.",
    'double four seven one',
    '44 71',
    'um, 4-4-7-1',
    'The number is 4471, thanks',
  ])('asks for what it lacks, and understands %s', async (text) => {
    const { say, ran } = aCall();
    const asked = await say('Where is my parcel? It has not arrived.');
    expect(asked.text).toMatch(/order number/i);
    expect(asked.outcome).toBe('asked-back');
    await say(text);
    expect(ran).toEqual([{ actionId: 'status', inputs: { order: '4471' } }]);
  });

  it('asks once more for what does not fit, then offers a colleague', async () => {
    const { say, ran } = aCall();
    await say('Where is my parcel? It has not arrived.');
    expect((await say('It is 17')).text).toMatch(/order number/);
    const last = await say('I really do not have it here');
    expect(last.text).toMatch(/colleague/);
    expect((await say('yes please')).outcome).toBe('handover');
    expect(ran).toEqual([]);
  });

  it('answers a question in between and goes on', async () => {
    const { say, ran } = aCall();
    await say('Where is my parcel? It has not arrived.');
    const between = await say('How long does delivery take?');
    expect(between.text).toMatch(/3 to 5 business days.*order number/s);
    await say('4471');
    expect(ran).toHaveLength(1);
  });
});

describe('an action that the customer confirms', () => {
  it('is read back and done after a yes, once', async () => {
    const { say, ran } = aCall(() => done('The refund is under way.'));
    const back = await say('I want my money back for order 4471');
    expect(back.text).toMatch(/order number 4471.*Shall I go ahead\?$/);
    expect(ran).toEqual([]);
    expect((await say('Yes, please do.')).text).toMatch(/The refund is under way\.$/);
    expect(ran).toEqual([{ actionId: 'refund', inputs: { order: '4471' } }]);
    await say('Yes.');
    expect(ran).toHaveLength(1);
  });

  it('is read back anew after a correction', async () => {
    const { say, ran } = aCall();
    await say('I want my money back for order 4471');
    expect((await say('no, 4472')).text).toMatch(/order number 4472/);
    await say('go ahead');
    expect(ran).toEqual([{ actionId: 'refund', inputs: { order: '4472' } }]);
  });

  test.each(['no', 'never mind', 'Actually, forget it.', 'I changed my mind', "No, don't do that"])(
    'is left after "%s"',
    async (text) => {
      const { say, ran } = aCall();
      await say('I want my money back for order 4471');
      const left = await say(text);
      expect(left.state).toMatchObject({ pending: null });
      await say('yes');
      expect(ran).toEqual([]);
    },
  );

  it.each([
    'Alright, never mind',
    'Yeah, forget it',
    'Fine, leave it',
    'Right, I have changed my mind',
    'Exactly the opposite',
    'Okay no',
    'Yes, no, leave it',
    "Great, but don't do it",
  ])('is left after "%s", which begins like a yes', async (text) => {
    const { say, ran } = aCall();
    await say('I want my money back for order 4471');
    expect((await say(text)).state).toMatchObject({ pending: null });
    await say('yes');
    expect(ran).toEqual([]);
  });

  it.each([
    'Okay how long does that take',
    'Sure what happens then',
    'Great, I will ask my husband',
    'Okay bye',
    'Yes if it is free',
    'Okay only the blue one',
    'yes but not now',
    'maybe',
    'what would happen then?',
    'Yes, but is it free?',
    'yes and send me a new one',
  ])('is not done after "%s"', async (text) => {
    const { say, ran } = aCall();
    await say('I want my money back for order 4471');
    await say(text);
    expect(ran).toEqual([]);
  });

  it.each([
    ['Ada, yes, go ahead.', 1],
    ['yes order 4471', 1],
    ['yes, forty-four seventy-one please', 1],
    ['Robin, yes, go ahead.', 0],
    ['yes order 4472', 0],
  ])('of the agent Ada, answered "%s", is done %i times', async (text, times) => {
    const { say, ran } = aCall();
    await say('I want my money back for order 4471');
    await say(text);
    expect(ran).toHaveLength(times);
  });

  it.each(['Yes if it is free', 'maybe', 'thanks', 'Great, I will ask my husband'])(
    'is read back again after "%s", in other words, and done after a plain yes',
    async (text) => {
      const { say, ran } = aCall();
      const first = await say('I want my money back for order 4471');
      const again = await say(text);
      expect(again.text).toMatch(/order number 4471.*\?$/);
      expect(again.text).not.toBe(first.text);
      expect(again.outcome).toBe('asked-back');
      await say('yes');
      expect(ran).toEqual([{ actionId: 'refund', inputs: { order: '4471' } }]);
    },
  );

  it('is left to a colleague after two answers that are none', async () => {
    const { say, ran } = aCall();
    await say('I want my money back for order 4471');
    await say('hmm maybe');
    expect((await say('yes if it is free')).text).toMatch(/colleague/);
    expect((await say('yes')).outcome).toBe('handover');
    expect(ran).toEqual([]);
  });

  it('waits for an answer where the customer asks for a moment', async () => {
    const { say, ran } = aCall();
    await say('I want my money back for order 4471');
    await say('hold on a second');
    await say('okay, go ahead');
    expect(ran).toHaveLength(1);
  });

  it('is asked again behind the answer to a question, and behind one that has none', async () => {
    const { say, ran } = aCall();
    await say('I want my money back for order 4471');
    const told = await say('Okay, how long does a refund take to reach me?');
    expect(told.text).toMatch(/within 5 working days.*order number 4471.*yes or no\?$/s);
    const unknown = await say('Sure, and what is the name of your dog');
    expect(unknown.text).toMatch(/more (?:about|on) that\..*order number 4471.*yes or no\?$/s);
    expect(unknown.text).not.toMatch(/colleague/);
    expect(ran).toEqual([]);
    await say('yes');
    expect(ran).toEqual([{ actionId: 'refund', inputs: { order: '4471' } }]);
  });

  it('is read back with another value that came with the yes', async () => {
    const { say, ran } = aCall();
    await say('I want my money back for order 4471');
    expect((await say('yes, 4472')).text).toMatch(/order number 4472/);
    expect(ran).toEqual([]);
    await say('yes');
    expect(ran).toEqual([{ actionId: 'refund', inputs: { order: '4472' } }]);
  });

  it('asks for several things, one by one, and takes what was said on the way', async () => {
    const { say, ran } = aCall();
    expect((await say("I'd like to make an appointment on 2030-05-06")).text).toMatch(/name/);
    const back = await say('My name is Priya Raman');
    expect(back.text).toMatch(/2030-05-06.*Priya Raman/);
    expect((await say('sorry, I meant 2030-05-07')).text).toMatch(/2030-05-07.*Priya Raman/);
    await say('yes');
    expect(ran).toEqual([{ actionId: 'book', inputs: { day: '2030-05-07', name: 'Priya Raman' } }]);
  });

  it('takes what was said for an earlier action', async () => {
    const { say, ran } = aCall();
    await say('Where is my order 4471?');
    expect((await say('Then I want my money back')).text).toMatch(/order number 4471/);
    await say('yes');
    expect(ran.map(({ actionId }) => actionId)).toEqual(['status', 'refund']);
  });
});

describe('what the system does not do', () => {
  it.each(['failed', 'unknown'] as const)('%s: a colleague is offered', async (outcome) => {
    const { say } = aCall(() => ({ outcome }));
    const reply = await say('Where is my order 4471?');
    expect(reply.text).toMatch(outcome === 'failed' ? /can't reach that right now/ : /can't tell whether/);
    expect(reply.text).toMatch(/colleague/);
    expect(reply.outcome).toBe('declined');
    expect((await say('yes')).outcome).toBe('handover');
  });

  it('an order that it does not know is asked for once more, then left to a colleague', async () => {
    const { say, ran } = aCall(() => ({ outcome: 'refused' }));
    const first = await say('Where is my order 4470?');
    expect(first.text).toMatch(/couldn't find anything for order number 4470.*order number/s);
    const second = await say('4471');
    expect(second.text).toMatch(/couldn't find anything for order number 4471.*colleague/s);
    expect(ran.map(({ inputs }) => inputs.order)).toEqual(['4470', '4471']);
  });

  it('an action that was deleted meanwhile is asked for no longer', async () => {
    const list = [...actions];
    const { say } = aCall(undefined, list);
    await say('Where is my parcel? It has not arrived.');
    list.splice(0);
    expect((await say('How long does delivery take?')).text).toMatch(/3 to 5 business days/);
  });
});

it('nothing is run before the turn is taken, and nothing after it was called off', async () => {
  let ran = 0;
  let take = (_run: RunAction) => {};
  const taken = new Promise<RunAction>((resolve) => {
    take = resolve;
  });
  const stop = new AbortController();
  const turn = { agent, history: [], text: 'Where is my order 4471?', actions: { list: actions, taken } };
  const replying = dialogue.respond(turn, stop.signal)[Symbol.asyncIterator]();
  expect((await replying.next()).value).toMatchObject({
    type: 'sentence',
    text: expect.stringContaining('moment'),
  });
  const next = replying.next();
  stop.abort(new Error('The customer speaks on.'));
  await expect(next).rejects.toThrow('The customer speaks on.');
  take(async () => {
    ran++;
    return done('');
  });
  await taken;
  expect(ran).toBe(0);
});
