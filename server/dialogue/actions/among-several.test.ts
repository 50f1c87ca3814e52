import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CompletionEvent, CompletionRequest } from '#server/engines/language/contract';
import { createFakeLanguage } from '#server/engines/language/fake';
import { createReading } from '#server/engines/reading/index';
import { engineReady, PATIENT } from '../../../tests/support/engine-ready.ts';
import type {
  ActionCall,
  AgentAction,
  AgentProfile,
  Dialogue,
  DialogueMessage,
  ReplyEvent,
  WholeReply,
} from '../contract.ts';
import { createDialogue } from '../respond.ts';

const agent: AgentProfile = {
  id: 'shop',
  revision: '1',
  ownerId: 'owner',
  name: 'Robin',
  companyName: 'Copper Mill',
  language: 'en',
  personality: 'Plain and clear',
  prompts: [],
  companyInfo:
    '# Copper Mill\n\n## Delivery\n\nDelivery takes 3 to 5 business days.\n\n## Stores\n\nOur stores are in Leeds and York. They open from 9 am to 6 pm.\n',
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
];

const reading = createReading();
let asked: (request: CompletionRequest) => AsyncIterable<CompletionEvent>;
const model = createFakeLanguage((request) => asked(request));
const grounded = createDialogue({ ...PATIENT, reading });
const modelled = createDialogue({ ...PATIENT, reading: null, models: () => [model] });
beforeAll(async () => {
  await engineReady(reading);
  await grounded.complete(agent);
});
afterAll(async () => {
  await Promise.all([grounded.close(), modelled.close()]);
  await reading.close();
});
beforeEach(() => {
  model.requests.length = 0;
});

/** A room with a record per person: others get the reply's state for others. */
function aRoom(dialogue: Dialogue) {
  const records = { ann: [] as DialogueMessage[], bob: [] as DialogueMessage[] };
  const ran: ActionCall[] = [];
  const run = async (call: ActionCall) => {
    ran.push(call);
    const said = call.actionId === 'refund' ? 'Your money is on its way.' : 'Order 4471 is in Leeds.';
    return { outcome: 'done' as const, said, answer: { at: 'Leeds' }, isRepeated: false };
  };
  const say = async (who: keyof typeof records, text: string): Promise<WholeReply> => {
    const events: ReplyEvent[] = [];
    const turn = {
      agent,
      history: [...records[who]],
      text,
      actions: { list: actions, taken: Promise.resolve(run) },
    };
    for await (const event of dialogue.respond(turn, new AbortController().signal)) events.push(event);
    const last = events.at(-1);
    if (last?.type !== 'reply') throw new Error('A turn ended without a reply.');
    const kept = (state: unknown): unknown => JSON.parse(JSON.stringify(state ?? null));
    const other = who === 'ann' ? 'bob' : 'ann';
    records[who].push(
      { role: 'user', content: text },
      { role: 'assistant', content: last.text, state: kept(last.state) },
    );
    records[other].push(
      { role: 'user', content: text, isOthers: true },
      { role: 'assistant', content: last.text, isOthers: true, state: kept(last.stateForOthers) },
    );
    return last;
  };
  return { say, ran, records };
}

describe('of several people in a room', () => {
  it('nobody says yes for somebody else, nor uses their yes up', async () => {
    const { say, ran } = aRoom(grounded);
    expect((await say('ann', 'I want my money back for order 4471')).text).toMatch(/Shall I go ahead\?$/);
    expect((await say('bob', 'Yes, please.')).text).toBe(
      'I asked somebody else that, so I need to hear it from them.',
    );
    for (const said of ['Yes, please.', 'No, thanks', 'Thank you'])
      expect((await say('bob', said)).text, said).not.toMatch(/4471/);
    expect(ran).toEqual([]);
    expect((await say('ann', 'Yes, please.')).text).toMatch(/Your money is on its way\.$/);
    expect(ran).toEqual([{ actionId: 'refund', inputs: { order: '4471' } }]);
  });

  it('who was asked last is who a yes is for: what waits is read back once more', async () => {
    const { say, ran } = aRoom(grounded);
    await say('ann', 'I want my money back for order 4471');
    expect((await say('bob', 'I want my money back for order 4472')).text).toMatch(/4472.*Shall I go ahead/);
    expect((await say('ann', 'Yes, please.')).text).toMatch(/4471.*Shall I go ahead\?$/);
    expect(ran).toEqual([]);
    await say('ann', 'Yes, please.');
    expect((await say('bob', 'Yes, please.')).text).toMatch(/4472.*Shall I go ahead\?$/);
    await say('bob', 'Yes, please.');
    expect((await say('bob', 'Robin?')).text).not.toMatch(/4471/);
    expect(ran.map(({ inputs }) => inputs.order)).toEqual(['4471', '4472']);
  });

  it('nobody is told of somebody else’s records, or has their number used', async () => {
    const { say, ran, records } = aRoom(grounded);
    expect((await say('ann', 'Where is my order 4471?')).text).toContain('Order 4471 is in Leeds.');
    expect(JSON.stringify(records.bob.map(({ state }) => state))).not.toContain('4471');
    expect((await say('bob', 'Can you repeat that, please?')).text).not.toMatch(/4471/);
    const { text } = await say('bob', 'Robin, where is my order?');
    expect(text).toMatch(/order number/i);
    expect(text).not.toMatch(/4471/);
    expect(ran).toHaveLength(1);
    expect((await say('ann', 'Then I want my money back')).text).toMatch(/order number 4471/);
  });

  it('a repetition of what was looked up stays with whom it was looked up for', async () => {
    const { say } = aRoom(grounded);
    await say('ann', 'Where is my order 4471?');
    expect((await say('ann', 'Can you repeat that, please?')).text).toContain('Order 4471 is in Leeds.');
    expect((await say('bob', 'Can you repeat that, please?')).text).not.toContain('4471');
  });

  it('everybody goes on with what the talk is about', async () => {
    const { say } = aRoom(grounded);
    expect((await say('ann', 'Where are your stores?')).text).toMatch(/Leeds/);
    expect((await say('bob', 'And when do they open?')).text).toMatch(/9 am/);
  });
});

describe('of several people in a room with a language model', () => {
  const end = (reason: 'done' | 'calls'): CompletionEvent => ({
    type: 'end',
    reason,
    usage: { input: 10, output: 5 },
  });
  async function* saying(text: string): AsyncGenerator<CompletionEvent> {
    yield { type: 'text', text };
    yield end('done');
  }
  async function* calling(name: string, input: unknown): AsyncGenerator<CompletionEvent> {
    yield { type: 'call', call: { id: `c${model.requests.length}`, name, input: JSON.stringify(input) } };
    yield end('calls');
  }
  const shown = () => JSON.stringify(model.requests.at(-1)?.messages);

  it('what one is asked or told of their records is shown for nobody else', async () => {
    const { say, ran } = aRoom(modelled);
    asked = ({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? saying('Order 4471 is in Leeds.')
        : calling('order_status', { order: '4471' });
    await say('ann', 'Where is my order 4471?');
    asked = () => calling('ask_for_a_refund', { order: '4471' });
    expect((await say('ann', 'Refund it then.')).text).toMatch(/4471/);
    asked = () => saying('What can I do for you?');
    await say('bob', 'Robin, what was that about?');
    expect(shown()).not.toContain('4471');
    expect(ran.map(({ actionId }) => actionId)).toEqual(['status']);
    await say('ann', 'Yes, please.');
    expect(ran.map(({ actionId }) => actionId)).toEqual(['status', 'refund']);
    // Words said after seeing the records may come from them.
    asked = () => saying('Your parcel is in Leeds.');
    await say('ann', 'Is it really there?');
    asked = () => saying('What can I do for you?');
    await say('bob', 'Robin, and where is mine?');
    expect(shown()).not.toMatch(/4471|parcel/);
  });

  it('a value that somebody else alone has said is asked for', async () => {
    const { say, ran, records } = aRoom(modelled);
    records.bob.push({ role: 'user', content: 'Mine is four four seven one, by the way.', isOthers: true });
    asked = ({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? saying('What is your order number?')
        : calling('order_status', { order: '4471' });
    expect((await say('bob', 'Robin, where is my order?')).text).toContain('What is your order number?');
    expect(ran).toEqual([]);
    await say('bob', 'It is 4471.');
    expect(ran).toHaveLength(1);
  });
});
