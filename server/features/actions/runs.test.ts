import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agents, conversations, users } from '#server/database/schema';
import type { ActionsEngine, SystemAnswer, SystemRequest } from '#server/engines/actions/contract';
import { createFakeActions } from '#server/engines/actions/fake';
import { keepAttachedChange } from '#server/features/agents/versions/repository';
import type { ContactScope } from '#server/lib/scope';
import { aConversation, anAgent, aScope, aUser } from '../../../tests/factories.ts';
import { door } from '../../../tests/support/scripted-engines.ts';
import { openTestDatabase, type TestDatabase } from '../../../tests/support/test-database.ts';
import { ActionsRepository } from './repository.ts';
import { ActionRuns, type RunContext, type UnsealedAction } from './runs.ts';

let database: TestDatabase;
let repository: ActionsRepository;
let context: RunContext;
let answer: (request: SystemRequest) => Promise<Partial<SystemAnswer>>;
let asked: SystemRequest[];
let runs: ActionRuns;

beforeAll(async () => {
  database = await openTestDatabase();
  repository = new ActionsRepository(database.db, keepAttachedChange);
});
afterAll(() => database.close());
beforeEach(async () => {
  const user = aUser();
  const agent = anAgent(user.id);
  const conversation = aConversation(user.id);
  await database.db.insert(users).values(user);
  await database.db.insert(agents).values(agent);
  await database.db.insert(conversations).values(conversation);
  const { id, name, companyName, personality, companyInfo, prompts } = agent;
  context = {
    agent: {
      id,
      name,
      companyName,
      personality,
      companyInfo,
      prompts,
      ownerId: user.id,
      revision: '1',
      language: 'en',
    },
    scope: aScope(user.id, user.workspaceId),
    conversationId: conversation.id,
    turnId: uuidv7(),
    sharedCallId: null,
    masked: (value) => value.replaceAll(/\d{6,}/g, '[number]'),
  };
  asked = [];
  answer = async () => ({ answer: { reference: 'R-1' } });
  const engine: ActionsEngine = {
    ...createFakeActions(),
    async call(request) {
      asked.push(request);
      return { outcome: 'done', status: 200, ms: 1, answer: null, ...(await answer(request)) };
    },
  };
  runs = new ActionRuns(repository, engine);
});

const action = (changes: Partial<UnsealedAction> = {}): UnsealedAction => ({
  id: uuidv7(),
  agentId: context.agent.id,
  workspaceId: uuidv7(),
  name: 'Refund',
  when: 'They want their money back.',
  inputs: [{ name: 'order', label: 'order', type: 'digits', required: true }],
  method: 'POST',
  url: 'https://shop.example/refunds',
  tool: null,
  headers: {},
  body: { order: '{order}' },
  confirm: false,
  says: 'Made: {answer.reference}.',
  createdAt: new Date(),
  ...changes,
});
const { signal } = new AbortController();
const run = (what: UnsealedAction, order = '4471', turnId = context.turnId, stop = signal) =>
  runs.run(what, { ...context, turnId }, { actionId: what.id, inputs: { order } }, stop);
const log = async () =>
  (await repository.runs(context.scope, context.conversationId)).map(({ outcome, inputs }) => [
    outcome,
    inputs,
  ]);

it('sends a whole letter where a model wrote half of one', async () => {
  const lookUp = action({ method: 'GET', url: 'https://shop.example/orders/{order}', body: null });
  expect(await run(lookUp, 'A\ud83d\0')).toMatchObject({ outcome: 'done' });
  expect(asked.map(({ url }) => url)).toEqual(['https://shop.example/orders/A%EF%BF%BD']);
});

it('runs an action once for a turn, however often that is tried', async () => {
  const refund = action();
  const first = await run(refund);
  expect(first).toMatchObject({ outcome: 'done', said: 'Made: R-1.', isRepeated: false });
  expect(await run(refund)).toMatchObject({ outcome: 'done', said: 'Made: R-1.', isRepeated: false });
  expect(asked).toHaveLength(1);
  await run(refund, '4472');
  await run(refund, '4471', uuidv7());
  expect(asked).toHaveLength(3);
  expect(new Set(asked.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
});

it('runs what the customer confirms once for a conversation', async () => {
  const refund = action({ confirm: true });
  await run(refund);
  expect(await run(refund, '4471', uuidv7())).toMatchObject({ outcome: 'done', isRepeated: true });
  expect(asked).toHaveLength(1);
});

it('finishes what an interrupted turn began, and the next one meets it', async () => {
  const refund = action();
  const gate = door();
  answer = async () => {
    await gate.opened;
    return { answer: { reference: 'R-1' } };
  };
  const stop = new AbortController();
  const interrupted = run(refund, '4471', context.turnId, stop.signal);
  await expect.poll(() => asked.length).toBe(1);
  stop.abort(new Error('Somebody took the floor.'));
  await expect(interrupted).rejects.toThrow('Somebody took the floor.');
  expect(await log()).toEqual([['running', { order: '4471' }]]);
  const again = run(refund);
  gate.open();
  expect(await again).toMatchObject({ outcome: 'done', said: 'Made: R-1.' });
  expect(asked).toHaveLength(1);
  expect(await log()).toEqual([['done', { order: '4471' }]]);
});

it.each(['failed', 'refused'] as const)('tries what %s once more, under the same key', async (outcome) => {
  const refund = action();
  answer = async () => ({ outcome });
  expect(await run(refund)).toEqual({ outcome });
  answer = async () => ({ answer: { reference: 'R-2' } });
  expect(await run(refund)).toMatchObject({ outcome: 'done', said: 'Made: R-2.' });
  expect(asked[0]?.idempotencyKey).toBe(asked[1]?.idempotencyKey);
});

it.each([
  ['POST', 'unknown'],
  ['GET', 'failed'],
] as const)('leaves no %s running whose system never comes to an answer', async (method, outcome) => {
  const engine: ActionsEngine = { ...createFakeActions(), call: () => new Promise(() => {}) };
  const what = action({ method, body: null });
  runs = new ActionRuns(repository, engine, 100);
  expect(await run(what)).toEqual({ outcome });
  expect(await log()).toEqual([[outcome, { order: '4471' }]]);
  runs = new ActionRuns(repository, engine);
  const running = run(what, '4472');
  await expect.poll(log).toHaveLength(2);
  await runs.close(50);
  expect(await running).toEqual({ outcome });
  expect(await log()).toContainEqual([outcome, { order: '4472' }]);
});

it('does not do again what may have been done', async () => {
  const refund = action();
  answer = async () => ({ outcome: 'unknown' });
  for (let time = 0; time < 2; time++) expect(await run(refund)).toEqual({ outcome: 'unknown' });
  expect(asked).toHaveLength(1);
});

it('keeps of inputs what the agent may keep', async () => {
  await run(action(), '123456789');
  expect(await log()).toEqual([['done', { order: '[number]' }]]);
  expect(asked[0]?.body).toEqual({ order: '123456789' });
});

describe('in a room', () => {
  const call = uuidv7();
  const of = (who: RunContext, what: UnsealedAction, sharedCallId: string | null = call) =>
    runs.run(
      what,
      { ...who, turnId: uuidv7(), sharedCallId },
      { actionId: what.id, inputs: { order: '4471' } },
      signal,
    );
  /** Another record of the same call. */
  async function aRecordOf(whose?: ContactScope): Promise<RunContext> {
    const user = aUser();
    if (whose === undefined) await database.db.insert(users).values(user);
    const conversation = aConversation(whose?.contactId ?? user.id);
    await database.db.insert(conversations).values(conversation);
    return { ...context, scope: whose ?? aScope(user.id, user.workspaceId), conversationId: conversation.id };
  }

  it('does what is confirmed once for everybody, and tells one person’s answer to nobody else', async () => {
    const [refund, bob, again] = [
      action({ confirm: true }),
      await aRecordOf(),
      await aRecordOf(context.scope),
    ];
    expect(await of(context, refund)).toMatchObject({ said: 'Made: R-1.', isRepeated: false });
    expect(await of(bob, refund)).toEqual({ outcome: 'done', said: '', answer: null, isRepeated: true });
    expect(await of(again, refund)).toMatchObject({ said: 'Made: R-1.', isRepeated: true });
    expect(asked).toHaveLength(1);
    await of(bob, refund, uuidv7());
    expect(asked).toHaveLength(2);
  });

  it('does it once when two confirm it in the same moment, here or at another instance', async () => {
    const [refund, bob, eve] = [action({ confirm: true }), await aRecordOf(), await aRecordOf()];
    const gate = door();
    answer = async () => {
      await gate.opened;
      return { answer: { reference: 'R-1' } };
    };
    const here = [of(context, refund), of(bob, refund)];
    await expect.poll(() => asked.length).toBe(1);
    const there = new ActionRuns(repository, { ...createFakeActions() });
    const turn = { ...eve, turnId: uuidv7(), sharedCallId: call };
    const elsewhere = there.run(refund, turn, { actionId: refund.id, inputs: { order: '4471' } }, signal);
    expect(await elsewhere).toEqual({ outcome: 'unknown' });
    gate.open();
    expect(await Promise.all(here)).toMatchObject([{ said: 'Made: R-1.' }, { said: '', isRepeated: true }]);
    expect(asked).toHaveLength(1);
  });

  it('lets somebody else try what did not happen, under the same key', async () => {
    const [refund, bob] = [action({ confirm: true }), await aRecordOf()];
    answer = async () => ({ outcome: 'failed' });
    expect(await of(context, refund)).toEqual({ outcome: 'failed' });
    answer = async () => ({ answer: { reference: 'R-2' } });
    expect(await of(bob, refund)).toMatchObject({ said: 'Made: R-2.', isRepeated: false });
    expect(asked[0]?.idempotencyKey).toBe(asked[1]?.idempotencyKey);
    expect(await of(context, refund)).toMatchObject({ outcome: 'done', said: '', isRepeated: true });
    expect(asked).toHaveLength(2);
    expect(await log()).toEqual([['failed', { order: '4471' }]]);
  });

  it('looks up for each what each asks', async () => {
    const [status, bob] = [action({ method: 'GET', confirm: true }), await aRecordOf()];
    expect([await of(context, status), await of(bob, status)]).toMatchObject([
      { said: 'Made: R-1.' },
      { said: 'Made: R-1.' },
    ]);
    expect(asked).toHaveLength(2);
  });
});
