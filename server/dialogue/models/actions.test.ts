import { afterAll, beforeEach, expect, test } from 'vitest';
import type { CompletionEvent, CompletionRequest } from '#server/engines/language/contract';
import { createFakeLanguage } from '#server/engines/language/fake';
import type {
  ActionCall,
  AgentAction,
  CustomerTurn,
  DialogueMessage,
  ModelUse,
  ReplyEvent,
} from '../contract.ts';
import { createDialogue } from '../respond.ts';

const order = {
  name: 'order',
  label: 'order number',
  type: 'digits',
  pattern: '\\d{4}',
  required: true,
} as const;
const status: AgentAction = {
  id: 's',
  name: 'Order status',
  when: 'They ask where their order is.',
  inputs: [order],
  confirm: false,
};
const refund: AgentAction = {
  ...status,
  id: 'r',
  name: 'Refund',
  when: 'They want a refund.',
  confirm: true,
};

const ran: ActionCall[] = [];
const uses: ModelUse[] = [];
let answer: (request: CompletionRequest) => AsyncIterable<CompletionEvent>;
const model = createFakeLanguage((request) => answer(request));
const dialogue = createDialogue({ models: () => [model], reading: null });
beforeEach(() => {
  ran.length = 0;
  uses.length = 0;
  model.requests.length = 0;
});
afterAll(() => dialogue.close());

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

async function ask(text: string, history: DialogueMessage[] = []) {
  const run = async (call: ActionCall) => {
    ran.push(call);
    const said = call.actionId === 'r' ? 'Your money is on its way.' : 'Order 4471 left our house on 3 May.';
    return { outcome: 'done' as const, said, answer: { status: 'shipped' }, isRepeated: false };
  };
  const turn: CustomerTurn = {
    agent: {
      id: 'shop',
      revision: '1',
      name: 'Ada',
      companyName: 'Copper Mill',
      language: 'en',
      personality: 'Plain',
      companyInfo: '# Delivery\n\nDelivery takes three days.',
      prompts: [],
    },
    history,
    text,
    models: { isLeft: () => true, onUse: (use) => void uses.push(use) },
    actions: { list: [status, refund], taken: Promise.resolve(run) },
  };
  const events: ReplyEvent[] = [];
  for await (const event of dialogue.respond(turn, new AbortController().signal)) events.push(event);
  const reply = events.find((event) => event.type === 'reply');
  if (!reply) throw new Error('There was no reply.');
  return { events, reply };
}

test('a model looks an order up and says what came of it', async () => {
  answer = ({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? saying('Order 4471 left our house on 3 May.')
      : calling('order_status', { order: '4471' });
  const { reply } = await ask('Where is my order 4471?');
  expect(reply.text).toBe('Order 4471 left our house on 3 May.');
  expect(ran).toEqual([{ actionId: 's', inputs: { order: '4471' } }]);
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['order_status', 'refund']);
  expect(model.requests[1]?.messages.slice(-2)).toMatchObject([
    { role: 'assistant', calls: [{ name: 'order_status' }] },
    { role: 'tool', result: expect.stringContaining('shipped') },
  ]);
  expect(uses).toEqual([{ model: 'fake-model', input: 20, output: 10 }]);
});

test('a deed is told once it was done, and before that by nobody', async () => {
  const told = 'I have looked up your order: order 4471 left our house on 3 May.';
  answer = ({ messages }) =>
    messages.at(-1)?.role === 'tool' ? saying(told) : calling('order_status', { order: '4471' });
  const after = await ask('Where is my order 4471?');
  expect(after.reply.text).toBe(told);
  expect(ran).toHaveLength(1);
  answer = () => saying('I have cancelled your order.');
  const without = await ask('Cancel my order.');
  expect(without.reply.text).not.toContain('cancelled');
});

test('what it makes up beside what came of it is not said', async () => {
  answer = ({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? saying('Order 4471 left our house on 3 May. It arrives on 9 May.')
      : calling('order_status', { order: '4471' });
  const { reply } = await ask('Where is my order 4471?');
  expect(reply.text).toContain('3 May');
  expect(reply.text).not.toContain('9 May');
});

test('what has to be confirmed is read back, and done by the customer’s yes without the model', async () => {
  answer = () => calling('refund', { order: '4471' });
  const first = await ask('I want a refund for order 4471.');
  expect(ran).toEqual([]);
  expect(first.reply.text).toContain('4471');
  expect(first.events.findLast((event) => event.type === 'sentence')).toMatchObject({
    isLast: true,
    expects: 'yes-or-no',
  });
  const { reply } = await ask('Yes, please.', [
    { role: 'user', content: 'I want a refund for order 4471.' },
    { role: 'assistant', content: first.reply.text, state: first.reply.state },
  ]);
  expect(model.requests).toHaveLength(1);
  expect(ran).toEqual([{ actionId: 'r', inputs: { order: '4471' } }]);
  expect(reply.text).toContain('Your money is on its way.');
});

test('a model that calls for ever is stopped, and the customer hears something', async () => {
  answer = () => calling('order_status', { order: '4471' });
  const { reply } = await ask('Where is my order 4471?');
  expect(model.requests.length).toBeLessThanOrEqual(5);
  expect(ran).toHaveLength(1);
  expect(reply.text).not.toBe('');
});

test('what is neither yes nor no is answered by the model and asked for again, and nothing is done', async () => {
  answer = () => calling('refund', { order: '4471' });
  const first = await ask('I want a refund for order 4471.');
  const history = [
    { role: 'user' as const, content: 'I want a refund for order 4471.' },
    { role: 'assistant' as const, content: first.reply.text, state: first.reply.state },
  ];
  answer = () => saying('I am happy to help you with that.');
  const between = await ask('Okay, how long does delivery take?', history);
  expect(between.reply.text).toMatch(/^I am happy to help you with that\..*4471.*yes or no\?$/);
  expect(between.events.findLast((event) => event.type === 'sentence')).toMatchObject({
    expects: 'yes-or-no',
  });
  expect(ran).toEqual([]);
  history.push(
    { role: 'user', content: 'Okay, how long does delivery take?' },
    { role: 'assistant', content: between.reply.text, state: between.reply.state },
  );
  await ask('Ada, yes, go ahead.', history);
  expect(ran).toEqual([{ actionId: 'r', inputs: { order: '4471' } }]);
});

test('what the model makes up about it is not said, and it is asked for again', async () => {
  answer = () => calling('refund', { order: '4471' });
  const first = await ask('I want a refund for order 4471.');
  answer = () => saying('Your refund of 900 dollars arrives on 9 May.');
  const { reply } = await ask('Okay, when does it arrive?', [
    { role: 'user', content: 'I want a refund for order 4471.' },
    { role: 'assistant', content: first.reply.text, state: first.reply.state },
  ]);
  expect(reply.text).not.toMatch(/900|May/);
  expect(reply.text).toMatch(/4471.*\?$/);
  expect(reply.state).toMatchObject({ pending: { is: 'action', actionId: 'r', asked: null } });
  expect(ran).toEqual([]);
});

test('where the model asks something itself, or reads another wish back, that alone waits', async () => {
  answer = () => calling('refund', { order: '4471' });
  const first = await ask('I want a refund for order 4471.');
  const history = [
    { role: 'user' as const, content: 'I want a refund for order 4471.' },
    { role: 'assistant' as const, content: first.reply.text, state: first.reply.state },
  ];
  answer = () => saying('Which order do you mean?');
  expect((await ask('yes if you mean the other order', history)).reply).toMatchObject({
    text: 'Which order do you mean?',
    state: { pending: null },
  });
  answer = () => calling('refund', { order: '4472' });
  const other = await ask('make it 4472 then', history);
  expect(other.reply.text).toMatch(/4472/);
  expect(other.reply.text).not.toMatch(/4471/);
  expect(ran).toEqual([]);
});

test('two answers that are none are left to a colleague, whatever the model says', async () => {
  answer = () => calling('refund', { order: '4471' });
  const first = await ask('I want a refund for order 4471.');
  answer = () => saying('Take your time.');
  const history: DialogueMessage[] = [
    { role: 'user', content: 'I want a refund for order 4471.' },
    { role: 'assistant', content: first.reply.text, state: first.reply.state },
  ];
  const again = await ask('Great, I will ask my husband', history);
  expect(again.reply.text).toMatch(/4471/);
  history.push(
    { role: 'user', content: 'Great, I will ask my husband' },
    { role: 'assistant', content: again.reply.text, state: again.reply.state },
  );
  expect((await ask('hmm maybe', history)).reply.text).toMatch(/colleague/);
  expect(ran).toEqual([]);
});
