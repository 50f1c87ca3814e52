import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agents, conversations, messages, unansweredQuestions, users } from '#server/database/schema';
import type { ReadingEngine } from '#server/engines/reading/contract';
import { createReading } from '#server/engines/reading/index';
import { AgentsRepository } from '#server/features/agents/repository';
import { AgentsService } from '#server/features/agents/service';
import { ConversationsRepository } from '#server/features/conversations/repository';
import { ConversationsService, type Reply } from '#server/features/conversations/service';
import { EngineError } from '#server/lib/engine-error';
import type { ContactScope } from '#server/lib/scope';
import type { Outcome } from '#shared/conversations';
import { anAgent, aScope, aUser } from '../../../../tests/factories.ts';
import { demoProfile } from '../../../../tests/support/call-world.ts';
import { engineReady } from '../../../../tests/support/engine-ready.ts';
import { openTestDatabase, type TestDatabase } from '../../../../tests/support/test-database.ts';
import { normalQuestion } from './grouping.ts';
import { UnansweredRepository } from './repository.ts';
import { UnansweredService } from './service.ts';

/** Texts are similar if they mention the same of a few known things. */
const things = [/ship|deliver|send/, /norway|oslo/, /dogs?|pets?/, /voucher|gift/];
function aReading(): ReadingEngine & { revision: string; embedded: string[]; failure: Error | null } {
  return {
    name: 'Things',
    revision: 'things-1',
    dimensions: things.length + 1,
    embedded: [],
    failure: null,
    status: () => ({ state: 'ready', message: 'Ready.' }),
    async embed(texts) {
      if (this.failure) throw this.failure;
      this.embedded.push(...texts);
      return texts.map((text) => {
        const vector = [...things.map((thing) => (thing.test(text) ? 1 : 0)), 0.01];
        const length = Math.hypot(...vector);
        return Float32Array.from(vector, (x) => x / length);
      });
    },
    relevance: async () => [],
    entailment: async () => 0,
    prepareEntailment() {},
    async close() {},
  };
}

let database: TestDatabase;
let said: ConversationsService;
let agentsService: AgentsService;
let reading: ReturnType<typeof aReading>;
let unanswered: UnansweredService;
let failures: unknown[];
/** Whether questions are grouped after each turn, as the subscription does. */
let isGrouping: boolean;
let userId: string;
let scope: ReturnType<typeof aScope>;
let agentId: string;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.empty();
  const user = aUser();
  const agent = anAgent(user.id);
  await database.db.insert(users).values(user);
  await database.db.insert(agents).values(agent);
  [userId, agentId] = [user.id, agent.id];
  scope = aScope(userId, user.workspaceId);
  said = new ConversationsService(new ConversationsRepository(database.db));
  agentsService = new AgentsService(new AgentsRepository(database.db), demoProfile);
  reading = aReading();
  [failures, isGrouping] = [[], true];
  unanswered = new UnansweredService({
    repository: new UnansweredRepository(database.db),
    agents: agentsService,
    calls: {
      rehearse: async ({ agent: { companyInfo }, text = '' }) => {
        const answer = companyInfo.split(`### ${text}\n\n`)[1];
        return answer
          ? { text: answer, citations: [{ text: answer, source: text }], outcome: 'answered' }
          : { text: 'I do not know.', citations: [], outcome: 'declined' };
      },
    },
    reading,
  });
});

async function aCall(of = scope, agent: string | null = agentId): Promise<string> {
  const face = { id: agent, name: agent === null ? 'Sigma' : 'Mia', companyName: 'Contoso' };
  return (await said.create(of, face, 'Hello')).conversation.id;
}

/** A turn with this outcome; grouped as far as grouping works. */
async function turn(
  conversationId: string,
  question: string,
  outcome: Outcome,
  { of = scope, ...changes }: Partial<Reply> & { of?: ContactScope } = {},
) {
  const { id } = await said.addUserMessage(of, conversationId, question, undefined);
  const reply = { responseId: uuidv7(), content: 'Well.', citations: [], interrupted: false };
  const stored = await said.addReply(of, conversationId, id, { ...reply, outcome, question, ...changes });
  if (isGrouping) await unanswered.group().catch((error: unknown) => failures.push(error));
  return stored;
}

const list = (limit = 50, of = scope) => unanswered.list(of, limit);
const questions = async () => (await list()).map(({ question, count }) => [question, count]);

describe('unanswered questions', () => {
  it('are those of one meaning together, the most frequent first, then the newest', async () => {
    const [one, two] = [await aCall(), await aCall()];
    await turn(one, 'Do you ship to Norway?', 'declined');
    await turn(one, 'Gift vouchers?', 'declined');
    await turn(one, 'What time is it?', 'answered');
    await turn(two, 'Hi', 'social');
    await turn(two, 'Would you deliver to Oslo', 'offered');
    await turn(two, 'May my dog come in?', 'declined');
    const listed = await list();
    expect(listed).toEqual([
      {
        _id: expect.any(String),
        question: 'Would you deliver to Oslo',
        count: 2,
        lastAsked: expect.any(String),
        agentId,
        agentName: 'Mia',
        conversations: [two, one],
      },
      expect.objectContaining({ question: 'May my dog come in?', count: 1, conversations: [two] }),
      expect.objectContaining({ question: 'Gift vouchers?', count: 1, conversations: [one] }),
    ]);
    expect(await list(1)).toEqual(listed.slice(0, 1));
  });

  it('keep their id when more of the same meaning are asked', async () => {
    const call = await aCall();
    await turn(call, 'Do you ship to Norway?', 'declined');
    const [before] = await list();
    await turn(call, 'do you SHIP to norway', 'declined');
    await turn(call, 'Can you send it to Oslo?', 'declined');
    expect((await list()).map(({ _id, count }) => [_id, count])).toEqual([[before?._id, 3]]);
  });

  it('come together in other words, and stay apart from what is asked of something else', async () => {
    const real = createReading();
    await engineReady(real);
    reading.revision = real.revision;
    reading.embed = real.embed;
    reading.relevance = real.relevance;
    const call = await aCall();
    await turn(call, 'Do you ship to Norway?', 'declined');
    await turn(call, 'Do you ship to Sweden?', 'declined');
    await turn(call, 'Do you buy used bikes?', 'declined');
    await turn(call, 'Do I get a discount as a student?', 'declined');
    await turn(call, 'Do you sell used bikes?', 'declined');
    await turn(call, 'Can I have something sent to Norway?', 'declined');
    await turn(call, 'Is it cheaper with a student card?', 'declined');
    await real.close();
    expect(failures).toEqual([]);
    expect(await questions()).toEqual([
      ['Is it cheaper with a student card?', 2],
      ['Can I have something sent to Norway?', 2],
      ['Do you sell used bikes?', 1],
      ['Do you buy used bikes?', 1],
      ['Do you ship to Sweden?', 1],
    ]);
  });

  it('stay apart by agent and by user', async () => {
    const stranger = aUser();
    const other = anAgent(userId);
    await database.db.insert(users).values(stranger);
    await database.db.insert(agents).values(other);
    await turn(await aCall(), 'Do you ship to Norway?', 'declined');
    await turn(await aCall(scope, other.id), 'Do you ship to Norway?', 'declined');
    await turn(await aCall(scope, null), 'Do you ship to Norway?', 'declined');
    const theirs = aScope(stranger.id, stranger.workspaceId);
    await turn(await aCall(theirs, null), 'Do you ship to Norway?', 'declined', { of: theirs });
    expect((await list()).map(({ agentId: id, count }) => [id, count])).toEqual([
      [null, 1],
      [other.id, 1],
      [agentId, 1],
    ]);
    expect(await list(50, aScope(stranger.id, stranger.workspaceId))).toHaveLength(1);
  });

  it('are what was offered in vain, not what was then taken up', async () => {
    const call = await aCall();
    await turn(call, 'Do you ship to Norway?', 'offered');
    expect(await questions()).toEqual([['Do you ship to Norway?', 1]]);
    await turn(call, 'Hm.', 'asked-back');
    const answer = await turn(call, 'Yes, that.', 'answered');
    expect(await questions()).toEqual([]);
    await said.cutReply(scope, answer, '');
    expect(await questions()).toEqual([['Do you ship to Norway?', 1]]);
    await turn(call, 'Gift vouchers?', 'declined');
    await turn(call, 'When are you open?', 'answered');
    expect(await questions()).toEqual([
      ['Gift vouchers?', 1],
      ['Do you ship to Norway?', 1],
    ]);
  });

  it('are none where the reply was withdrawn before a word of it was heard', async () => {
    const call = await aCall();
    await turn(call, 'Do you ship', 'declined', { content: '', interrupted: true });
    expect(await questions()).toEqual([]);
    const heard = await turn(call, 'to Norway?', 'declined', { question: 'Do you ship to Norway?' });
    expect(await questions()).toEqual([['Do you ship to Norway?', 1]]);
    await said.cutReply(scope, heard, '');
    expect(await questions()).toEqual([]);
  });

  it('of a live room are in the record of whoever’s agent it was, and in no other', async () => {
    const guest = aUser();
    await database.db.insert(users).values(guest);
    const theirs = aScope(guest.id, guest.workspaceId);
    const live = {
      roomName: 'room',
      agentId,
      agentOwnerId: userId,
      callId: uuidv7(),
      liveUntil: new Date(),
    };
    const face = { name: 'Mia', companyName: 'Contoso' };
    const asked = await said.createLive(theirs, { ...face, id: null }, live);
    const owned = await said.createLive(scope, { ...face, id: agentId }, live);
    await turn(asked.id, 'Do you ship to Norway?', 'declined', { of: theirs });
    const copy = await said.addWords(scope, owned.id, {
      role: 'user',
      content: 'Do you ship to Norway?',
      saidBy: 'Grace',
    });
    await said.addWords(scope, owned.id, {
      role: 'assistant',
      content: 'Sorry.',
      replyTo: copy.id,
      responseId: uuidv7(),
      outcome: 'declined',
      question: 'Do you ship to Norway?',
      contact: { name: 'Grace' },
    });
    expect(await list()).toMatchObject([{ question: 'Do you ship to Norway?', conversations: [owned.id] }]);
    expect(await list(50, aScope(guest.id, guest.workspaceId))).toEqual([]);
    expect(await said.get(scope, owned.id)).toMatchObject({
      outcome: 'declined',
      contact: { name: 'Grace' },
      messages: [{}, { outcome: 'declined' }],
    });
  });

  it('go with their conversation, and the rest of their group stays', async () => {
    const [one, two] = [await aCall(), await aCall()];
    await turn(one, 'Do you ship to Norway?', 'declined');
    await turn(two, 'Do you deliver to Oslo?', 'declined');
    const [before] = await list();
    await said.delete(scope, one);
    await turn(two, 'Can you send it to Norway?', 'declined');
    expect((await list()).map(({ _id, count }) => [_id, count])).toEqual([[before?._id, 2]]);
    await said.delete(scope, two);
    expect(await list()).toEqual([]);
    expect(await database.db.select().from(messages)).toEqual([]);
  });

  it('are listed one by one while meanings cannot be read, and grouped as soon as they can', async () => {
    reading.failure = new EngineError('Reading starts.', { retryable: true });
    const call = await aCall();
    await turn(call, 'Do you ship to Norway?', 'declined');
    await turn(call, 'Do you deliver to Oslo?', 'declined');
    const [newer, older] = await list();
    expect([newer?.count, older?.count]).toEqual([1, 1]);
    expect(failures.length).toBeGreaterThan(0);
    reading.failure = null;
    await unanswered.group();
    expect(await questions()).toEqual([['Do you deliver to Oslo?', 2]]);
    // A page opened before still uses the old id.
    await unanswered.dismiss(scope, newer?._id ?? '');
    expect(await list()).toEqual([]);
  });

  it('that were left by a server that went away are grouped by the next one', async () => {
    const call = await aCall();
    isGrouping = false;
    await turn(call, 'Do you ship to Norway?', 'declined');
    await turn(call, 'Do you deliver to Oslo?', 'declined');
    expect(await list()).toHaveLength(2);
    await unanswered.group();
    expect(await questions()).toEqual([['Do you deliver to Oslo?', 2]]);
  });

  it('are grouped once by two servers at the same time', async () => {
    const call = await aCall();
    isGrouping = false;
    for (let n = 0; n < 6; n++) await turn(call, `Do you ship to Norway ${n}?`, 'declined');
    const other = new UnansweredService({
      repository: new UnansweredRepository(database.db),
      agents: agentsService,
      calls: { rehearse: () => Promise.reject(new Error('unused')) },
      reading,
    });
    await Promise.all([unanswered.group(), other.group()]);
    expect((await list()).map(({ count }) => count)).toEqual([6]);
    await other.close();
  });

  it('are not compared with what other weights made of earlier ones', async () => {
    const call = await aCall();
    await turn(call, 'Do you ship to Norway?', 'declined');
    await database.db.update(unansweredQuestions).set({ vectorOf: 'things-0' });
    await turn(call, 'Do you ship to Norway?', 'declined');
    expect((await list()).map(({ count }) => count)).toEqual([1, 1]);
  });
});

describe('the answer somebody writes', () => {
  const signal = new AbortController().signal;
  const info = async () => (await agentsService.get(scope, agentId)).companyInfo;

  it('goes into what the agent knows, is tried at once, and takes the question off the list', async () => {
    const call = await aCall();
    await turn(call, 'Do you ship to Norway?', 'declined');
    await turn(call, 'Do you deliver to Oslo?', 'declined');
    const [group] = await list();
    const now = await unanswered.answer(scope, group?._id ?? '', 'Yes, within 5 days.', signal);
    expect(now).toEqual({
      message: 'Yes, within 5 days.',
      citations: [{ text: 'Yes, within 5 days.', source: 'Do you deliver to Oslo?' }],
      outcome: 'answered',
    });
    expect(await info()).toMatch(/6 pm\.\n\n## Questions and answers\n\n### Do you deliver to Oslo\?\n\nYes/);
    expect(await list()).toEqual([]);
    await unanswered.answer(scope, group?._id ?? '', 'Yes, within 4 days.', signal);
    expect((await info()).match(/within . days/g)).toEqual(['within 4 days']);
    await turn(call, 'Do you ship to Norway?', 'declined');
    expect((await list()).map(({ _id, count }) => [_id === group?._id, count])).toEqual([[false, 1]]);
  });

  it('keeps what somebody else saved meanwhile', async () => {
    await turn(await aCall(), 'Do you ship to Norway?', 'declined');
    const [group] = await list();
    const agent = await agentsService.get(scope, agentId);
    await Promise.all([
      agentsService.update(scope, agentId, { ...agent, companyInfo: 'Open at night.' }),
      unanswered.answer(scope, group?._id ?? '', 'Yes.', signal),
    ]);
    // Whichever came last, both are complete.
    expect(await info()).toMatch(/^Open at night\.(\n\n## Questions and answers\n\n### [^\n]+\n\nYes\.)?$/);
  });

  it('is refused when it does not fit, and nothing changes', async () => {
    const full = 'x'.repeat(199_950);
    await database.db.update(agents).set({ companyInfo: full }).where(eq(agents.id, agentId));
    await turn(await aCall(), 'Do you ship to Norway?', 'declined');
    const [group] = await list();
    await expect(unanswered.answer(scope, group?._id ?? '', 'Yes.', signal)).rejects.toMatchObject({
      status: 413,
      message: expect.stringContaining('200,000 characters'),
    });
    expect(await info()).toBe(full);
    expect(await list()).toHaveLength(1);
  });

  it('is refused for the demo agent, for an agent that was deleted, and for other people’s questions', async () => {
    await turn(await aCall(scope, null), 'Do you ship to Norway?', 'declined');
    const [demo] = await list();
    await expect(unanswered.answer(scope, demo?._id ?? '', 'Yes.', signal)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('demo agent'),
    });
    await turn(await aCall(), 'May my dog come in?', 'declined');
    const dog = (await list()).find(({ question }) => question.includes('dog'))?._id ?? '';
    for (const [by, id] of [
      [aScope(uuidv7(), uuidv7()), dog],
      [scope, uuidv7()],
      [scope, 'x'],
    ] as const) {
      await expect(unanswered.answer(by, id, 'Yes.', signal)).rejects.toMatchObject({ code: 'not-found' });
      await expect(unanswered.dismiss(by, id)).rejects.toMatchObject({ code: 'not-found' });
    }
    await agentsService.delete(scope, agentId);
    await expect(unanswered.answer(scope, dog, 'Yes.', signal)).rejects.toMatchObject({
      code: 'not-found',
      message: 'This agent does not exist.',
    });
    expect(await list()).toHaveLength(2);
  });
});

it('lists again what was dismissed when it is asked again', async () => {
  const call = await aCall();
  await turn(call, 'Do you ship to Norway?', 'declined');
  const [group] = await list();
  await unanswered.dismiss(scope, group?._id ?? '');
  expect(await list()).toEqual([]);
  expect(await database.db.select().from(conversations)).toHaveLength(1);
  await turn(call, 'Do you ship to Norway?', 'declined');
  expect((await list()).map(({ count }) => count)).toEqual([1]);
});

it('takes the same words for the same question, however they are spelled', () => {
  expect(normalQuestion('  Do you SHIP\n to Norway?! ')).toBe(normalQuestion('do you ship to norway'));
  expect(normalQuestion('¿?!')).toBe('¿');
  expect(normalQuestion('?!')).toBe('?!');
});
