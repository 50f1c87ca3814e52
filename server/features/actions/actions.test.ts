import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { actions as actionsTable, users } from '#server/database/schema';
import { createActions } from '#server/engines/actions/index';
import { createSafeFetch } from '#server/engines/outside/safe-fetch';
import { createReading } from '#server/engines/reading/index';
import type { SignedIn } from '#shared/accounts';
import {
  type Action,
  type ActionDraft,
  actionRunSchema,
  actionSchema,
  triedActionSchema,
} from '#shared/actions';
import { exampleActions, exampleAgent } from '../../../examples/shop/agent.js';
import { createExampleShop } from '../../../examples/shop/shop.js';
import { engineReady } from '../../../tests/support/engine-ready.ts';
import { openTestApp, type TestApp } from '../../../tests/support/test-app.ts';

const KEY = 'the key of the shop';
const reading = createReading();
let shop: Server;
let address: string;
let app: TestApp;
let url: string;
/** Requests that the shop received, in order. */
const asked: string[] = [];
beforeAll(async () => {
  shop = createExampleShop(KEY);
  shop.on('request', ({ method, url }) => asked.push(`${method} ${url}`));
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  await engineReady(reading);
  app = await openTestApp({
    engines: {
      reading,
      actions: createActions({ outside: createSafeFetch(), privateHosts: ['127.0.0.1'] }),
    },
  });
  url = await app.listen();
});
afterAll(async () => {
  await app.close();
  await reading.close();
  shop.closeAllConnections();
  await new Promise((resolve) => shop.close(resolve));
});

let ada: SignedIn;
let agentId: string;
beforeEach(async () => {
  asked.splice(0);
  ada = await app.signUp();
  agentId = await anAgent(ada);
});

async function anAgent({ token }: SignedIn): Promise<string> {
  const response = await app.as(token, 'POST', '/api/agents', exampleAgent);
  return z.object({ _id: z.string() }).parse(response.json())._id;
}
const path = (rest = '') => `/api/agents/${agentId}/actions${rest}`;
const draft = (place = 0): ActionDraft => {
  const found = exampleActions(address, KEY)[place];
  if (!found) throw new Error('The example has no such action.');
  return found;
};
async function created(body: object = draft()): Promise<Action> {
  const response = await app.as(ada.token, 'POST', path(), body);
  expect(response.body).toContain('_id');
  return actionSchema.strict().parse(response.json());
}

describe('/api/agents/{id}/actions', () => {
  it('keeps an action, of its headers only the names to be seen', async () => {
    const action = await created();
    expect(action).toMatchObject({ name: 'Order status', headers: { Authorization: null } });
    expect((await app.as(ada.token, 'GET', path())).json()).toEqual([action]);
    const [row] = await app.database.db.select().from(actionsTable);
    expect(JSON.stringify(row)).not.toContain(KEY);
  });

  it('keeps the value of a header that a change leaves as it is, and tries the action with it', async () => {
    const { _id, ...action } = await created();
    const changed = await app.as(ada.token, 'PUT', path(`/${_id}`), { ...action, name: 'Status' });
    expect(changed.json()).toMatchObject({ name: 'Status', headers: { Authorization: null } });
    const response = await app.as(ada.token, 'POST', path(`/${_id}/try`), { inputs: { order: '4471' } });
    expect(triedActionSchema.parse(response.json())).toMatchObject({
      request: { method: 'GET', url: `${address}/orders/4471`, headers: { Authorization: null } },
      status: 200,
      response: { status: 'on its way to you' },
      said: 'Order 4471, a kettle, is on its way to you. It arrives on Friday.',
    });
    expect(response.body).not.toContain(KEY);
  });

  it('refuses half a letter as an input, and sends none to the shop', async () => {
    const { _id } = await created();
    const response = await app.as(ada.token, 'POST', path(`/${_id}/try`), { inputs: { order: '44\ud83d' } });
    expect([response.statusCode, response.json().message]).toEqual([
      400,
      'This text holds a character that cannot be stored.',
    ]);
    expect(asked).toEqual([]);
  });

  it('takes no kept value along to another server', async () => {
    const { _id, ...action } = await created();
    const response = await app.as(ada.token, 'PUT', path(`/${_id}`), {
      ...action,
      url: 'https://elsewhere.example/{order}',
    });
    expect([response.statusCode, response.json().fields.headers]).toEqual([
      400,
      'Enter the value of Authorization: none is kept for this server.',
    ]);
  });

  it.each([
    [{ url: 'https://{order}.example/' }, 'url'],
    [{ url: 'ftp://shop.example/' }, 'url'],
    [{ url: 'https://user:secret@shop.example/' }, 'url'],
    [{ url: 'https://shop.example/{nothing}' }, 'url'],
    [{ says: 'It is {status}.' }, 'says'],
    [{ headers: { Host: 'x' } }, 'headers'],
    [{ headers: { 'X-Y': 'a\r\nb: c' } }, 'headers.X-Y'],
    [{ method: 'MCP' }, 'tool'],
    [{ body: { a: 1 } }, 'body'],
    [{ inputs: [{ name: 'order', label: 'order', type: 'digits', pattern: '(' }] }, 'inputs.0.pattern'],
    [{ inputs: [{ ...draft().inputs[0], pattern: '(?=4)\\d+' }] }, 'inputs.0.pattern'],
    [{ inputs: [{ ...draft().inputs[0], pattern: '(\\d)\\1' }] }, 'inputs.0.pattern'],
    [{ inputs: [{ ...draft().inputs[0], pattern: '(?:\\d{50}){50}' }] }, 'inputs.0.pattern'],
  ])('refuses %j', async (changes, field) => {
    const response = await app.as(ada.token, 'POST', path(), { ...draft(), ...changes });
    expect([response.statusCode, Object.keys(response.json().fields ?? {})]).toEqual([400, [field]]);
  });

  it('keeps working with a pattern of before that cannot be used any more, and says so', async () => {
    const { _id, ...action } = await created();
    const inputs = action.inputs.map((input) => ({ ...input, pattern: '(?!0)\\d{4}' }));
    await app.database.db.update(actionsTable).set({ inputs }).where(eq(actionsTable.id, _id));
    const [listed] = (await app.as(ada.token, 'GET', path())).json<Action[]>();
    expect(listed?.problem).toBe(
      'The pattern of the order number is not used. Leave lookarounds and backreferences out of the pattern: they are not known here.',
    );
    const talk = await aTalk(ada);
    expect((await talk.say('Where is my order 4471?')).message).toContain('is on its way to you');
    talk.end();
    const saved = await app.as(ada.token, 'PUT', path(`/${_id}`), { ...action, name: 'Status', inputs });
    expect(saved.json().fields['inputs.0.pattern']).toContain('lookarounds');
    const mended = await app.as(ada.token, 'PUT', path(`/${_id}`), action);
    expect(actionSchema.strict().parse(mended.json()).problem).toBeUndefined();
  });

  it('shows, changes, tries and deletes nothing of another user', async () => {
    const { _id } = await created();
    const { token } = await app.signUp();
    for (const [method, rest, body] of [
      ['GET', '', undefined],
      ['POST', '', draft()],
      ['PUT', `/${_id}`, draft()],
      ['POST', `/${_id}/try`, { inputs: { order: '4471' } }],
      ['POST', '/tools', { url: address }],
      ['DELETE', `/${_id}`, undefined],
    ] as const)
      expect([method, rest, (await app.as(token, method, path(rest), body)).statusCode]).toEqual([
        method,
        rest,
        404,
      ]);
    expect(asked).toEqual([]);
    expect((await app.as(ada.token, 'DELETE', path(`/${_id}`))).statusCode).toBe(204);
    expect((await app.as(ada.token, 'DELETE', path(`/${_id}`))).statusCode).toBe(404);
  });

  it('says what is missing, and what is wrong with an answer', async () => {
    const { _id } = await created({ ...draft(), says: 'It weighs {answer.weight}.' });
    const missing = await app.as(ada.token, 'POST', path(`/${_id}/try`), { inputs: {} });
    expect(missing.json().fields).toEqual({ 'inputs.order': 'Enter the order number.' });
    const tried = await app.as(ada.token, 'POST', path(`/${_id}/try`), { inputs: { order: '4471' } });
    expect(tried.json()).toMatchObject({
      problem: 'The answer has nothing to say for {answer.weight}.',
      said: expect.stringContaining("I can't reach that right now."),
    });
  });

  it('lets nothing that a customer says lead to another place of the server', async () => {
    const order = { ...draft().inputs[0], type: 'text', pattern: undefined };
    const { _id } = await created({ ...draft(), inputs: [order] });
    for (const value of ['..', '../admin', 'a/b', '4471?x=1#y'])
      await app.as(ada.token, 'POST', path(`/${_id}/try`), { inputs: { order: value } });
    expect(asked).toEqual(['GET /orders/..%2Fadmin', 'GET /orders/a%2Fb', 'GET /orders/4471%3Fx%3D1%23y']);
  });
});

const startedSchema = z.object({ ok: z.literal(true), conversationId: z.string() });
const replySchema = z.object({ message: z.string(), outcome: z.string() });

/** A typed conversation over the real channel. */
async function aTalk({ token, user }: SignedIn) {
  const socket: Socket = io(url, { auth: { token }, transports: ['websocket'], forceNew: true });
  const { conversationId } = startedSchema.parse(
    await socket.emitWithAck('start_conversation', {
      userId: user._id,
      isCallSimulator: false,
      agentId,
      voice: false,
    }),
  );
  const say = async (message: string, clientMessageId?: string) => {
    const reply = new Promise<unknown>((resolve) => socket.once('ai_response', resolve));
    await socket.emitWithAck('user_message', {
      ...{ conversationId, message, agentId, userId: user._id, voice: false },
      ...(clientMessageId ? { clientMessageId } : {}),
    });
    return replySchema.parse(await reply);
  };
  /** Whether the turn failed instead of being answered. */
  const isRefused = async (message: string) => {
    const ended = new Promise<boolean>((resolve) => {
      socket.once('ai_response', () => resolve(false));
      socket.once('error', () => resolve(true));
    });
    socket.emit('user_message', { conversationId, message, agentId, userId: user._id, voice: false });
    return ended;
  };
  const runs = async () =>
    z
      .array(actionRunSchema)
      .parse((await app.as(token, 'GET', `/api/conversations/${conversationId}/actions`)).json());
  return { say, isRefused, runs, conversationId, end: () => socket.disconnect() };
}

describe('a conversation with an agent that has actions', () => {
  beforeEach(async () => {
    for (const action of exampleActions(address, KEY)) await created(action);
  });

  it('looks an order up, refunds it after a yes, and keeps what was done', async () => {
    const talk = await aTalk(ada);
    expect((await talk.say('Where is my order 4471?')).message).toContain('is on its way to you');
    const back = await talk.say('I want my money back for order 4471, please refund it');
    expect(back.message).toMatch(/order number 4471. Shall I go ahead\?$/);
    expect(asked).toEqual(['GET /orders/4471']);
    const made = await talk.say('Yes, please.', 'the yes');
    expect(made).toMatchObject({ outcome: 'answered', message: expect.stringContaining('R-4471') });
    expect(await talk.say('Yes, please.', 'the yes')).toEqual(made);
    expect(asked).toEqual(['GET /orders/4471', 'POST /refunds']);
    expect(
      (await talk.runs()).map(({ name, inputs, outcome, status }) => [name, inputs, outcome, status]),
    ).toEqual([
      ['Order status', { order: '4471' }, 'done', 200],
      ['Ask for a refund', { order: '4471' }, 'done', 201],
    ]);
    const { token } = await app.signUp();
    const others = await app.as(token, 'GET', `/api/conversations/${talk.conversationId}/actions`);
    expect(others.statusCode).toBe(404);
    talk.end();
  });

  it.each([
    'Alright, never mind',
    'Yeah, forget it',
    'Fine, leave it',
    'Right, I have changed my mind',
    'Okay how long does that take',
    'Sure what happens then',
    'Great, I will ask my husband',
    'Okay bye',
    'Exactly the opposite',
    'Yes if it is free',
    'Okay only the blue one',
  ])('sends no request after "%s"', async (answer) => {
    const talk = await aTalk(ada);
    await talk.say('I want my money back for order 4471, please refund it');
    await talk.say(answer);
    expect(asked).toEqual([]);
    expect(await talk.runs()).toEqual([]);
    talk.end();
  });

  it('does not do the same twice in one conversation, and says so', async () => {
    const talk = await aTalk(ada);
    for (let time = 0; time < 2; time++) {
      await talk.say('I want my money back for order 4472, please refund it');
      const reply = await talk.say('yes');
      expect(reply.message.includes('That is done already.')).toBe(time === 1);
    }
    expect(asked).toEqual(['POST /refunds']);
    talk.end();
  });

  it('does nothing while its owner’s account waits for a choice, a yes that was asked for before included', async () => {
    const talk = await aTalk(ada);
    await talk.say('I want my money back for order 4471, please refund it');
    const hold = (heldAt: Date | null) =>
      app.database.db.update(users).set({ heldAt }).where(eq(users.id, ada.user._id));
    await hold(new Date());
    expect(await talk.isRefused('Yes, please.')).toBe(true);
    expect(asked).toEqual([]);
    await hold(null);
    expect((await talk.say('I want my money back for order 4471, please refund it')).message).toMatch(
      /4471.*\?$/,
    );
    await talk.say('Yes, please.');
    expect(asked).toEqual(['POST /refunds']);
    talk.end();
  });

  it('says what the system does not know, and offers a colleague when it does not answer', async () => {
    const talk = await aTalk(ada);
    expect((await talk.say('Where is my order 9999?')).message).toMatch(
      /couldn't find anything for order number 9999/,
    );
    await talk.say('never mind');
    const [first] = (await app.as(ada.token, 'GET', path())).json<Action[]>();
    await app.as(ada.token, 'PUT', path(`/${first?._id}`), {
      ...draft(),
      headers: { Authorization: 'Bearer wrong' },
    });
    const reply = await talk.say('Where is my order 4473?');
    expect(reply).toMatchObject({
      outcome: 'declined',
      message: expect.stringMatching(/can't reach.*colleague/s),
    });
    expect((await talk.runs()).map(({ outcome, problem }) => [outcome, problem])).toEqual([
      ['refused', 'It refused the request (404).'],
      ['failed', 'It refused the headers (401): check the key.'],
    ]);
    talk.end();
  });
});
