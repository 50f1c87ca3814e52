import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { actionRuns, conversations, messages } from '#server/database/schema';
import type { AgentProfile, AnswerPair, Dialogue } from '#server/dialogue/contract';
import { createDialogue } from '#server/dialogue/respond';
import { createFakeReading } from '#server/engines/reading/fake';
import { untilAborted } from '#server/lib/wait';
import type { Outcome } from '#shared/conversations';
import { effectSchema } from '#shared/effects';
import { aConversation, aMessage, aScope } from '../../../../tests/factories.ts';
import { door } from '../../../../tests/support/scripted-engines.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { EffectsService } from './service.ts';

let app: TestApp;
let token: string;
let userId: string;
let agentId: string;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  const { token: newToken, user } = await app.signUp();
  [token, userId] = [newToken, user._id];
  agentId = (await app.as(token, 'POST', '/api/agents', draft)).json()._id;
});

const hours = '# Opening hours\n\nOur store is open from 9 am to 6 pm.';
const parking = '# Parking\n\nParking behind the store costs 2 dollars.';
const draft = {
  name: 'Mia',
  companyName: 'Contoso Bikes',
  personality: 'Brief.',
  companyInfo: `${hours}\n\n${parking}`,
  prompts: [],
};
const openFrom10 = `${hours.replace('9 am', '10 am')}\n\n${parking}`;

let seconds = 0;
/** A conversation of these utterances, each with the outcome of its reply. @returns its id */
async function conversation(...said: [text: string, outcome: Outcome][]): Promise<string> {
  const row = aConversation(userId, { agentId, agentName: 'Mia', id: idAt(++seconds) });
  await app.database.db.insert(conversations).values(row);
  for (const [content, outcome] of said) {
    const message = aMessage(row.id, { content, id: idAt(++seconds) });
    const reply = aMessage(row.id, { id: idAt(++seconds), role: 'assistant', replyTo: message.id, outcome });
    await app.database.db.insert(messages).values([message, reply]);
  }
  return row.id;
}
const idAt = (second: number) => `018f${String(second).padStart(4, '0')}-0000-7000-8000-${userId.slice(-12)}`;

const ask = (change: object, as = token) => app.as(as, 'POST', `/api/agents/${agentId}/effects`, change);
const effectOf = async (change: object) => effectSchema.strict().parse((await ask(change)).json());

describe('POST /api/agents/{id}/effects', () => {
  it('shows what would be answered differently, and counts all that was asked', async () => {
    const id = await conversation(
      ['When is your store open?', 'answered'],
      ['What does parking cost?', 'answered'],
    );
    expect(await effectOf({ companyInfo: openFrom10 })).toEqual({
      asked: 2,
      changed: 1,
      answers: [
        {
          question: 'When is your store open?',
          conversationId: id,
          before: expect.stringContaining('9 am'),
          after: expect.stringContaining('10 am'),
          // The fake reader is less confident than the real one.
          outcomeBefore: expect.stringMatching(/^(?:answered|offered)$/),
          outcomeAfter: expect.stringMatching(/^(?:answered|offered)$/),
        },
      ],
    });
  });

  it('finds nothing changed where nothing is', async () => {
    await conversation(
      ['When is your store open?', 'answered'],
      ['What does parking cost?', 'answered'],
      ['Do you sell penguins?', 'declined'],
    );
    for (const same of [
      {},
      { companyInfo: draft.companyInfo, prompts: [] },
      { documents: { remove: [agentId] } },
    ])
      expect(await effectOf(same)).toEqual({ asked: 3, changed: 0, answers: [] });
  });

  it('tells when an answer would be lost, or there would be one', async () => {
    await conversation(['What does parking cost?', 'answered'], ['Are tandems repaired?', 'declined']);
    const { answers } = await effectOf({ companyInfo: `${hours}\n\n# Repairs\n\nTandems are repaired.` });
    expect(
      answers.map(({ question, outcomeBefore, outcomeAfter }) => [question, outcomeBefore, outcomeAfter]),
    ).toEqual([
      ['Are tandems repaired?', 'declined', 'answered'],
      ['What does parking cost?', 'answered', 'declined'],
    ]);
  });

  it('tries documents that would be added or taken away', async () => {
    const text = { title: 'Rentals', text: '# Rentals\n\nRenting a bicycle costs 20 dollars.' };
    await conversation(['How much is renting a bicycle?', 'declined']);
    const added = await effectOf({ documents: { add: [text] } });
    expect(added.answers).toMatchObject([{ outcomeAfter: 'answered', after: expect.stringContaining('20') }]);
    const { _id } = (await app.as(token, 'POST', `/api/agents/${agentId}/documents`, text)).json();
    const removed = await effectOf({ documents: { remove: [_id] } });
    expect(removed.answers).toMatchObject([{ outcomeBefore: 'answered', before: added.answers[0]?.after }]);
  });

  it('tries what a preview brought as it would be read, and nothing without a text', async () => {
    await conversation(['How much is renting a bicycle?', 'declined']);
    const parts = [{ title: 'Renting', text: 'Renting a bicycle costs 20 dollars.' }];
    const { answers } = await effectOf({ documents: { add: [{ title: 'Rentals', parts }] } });
    expect(answers).toMatchObject([{ outcomeAfter: 'answered', after: expect.stringContaining('20') }]);
    const text = { title: 'Rentals', text: '# Renting\n\nRenting a bicycle costs 20 dollars.' };
    const { _id } = (await app.as(token, 'POST', `/api/agents/${agentId}/documents`, text)).json();
    const removed = await effectOf({ documents: { remove: [_id] } });
    expect(removed.answers).toMatchObject([{ before: answers[0]?.after, after: answers[0]?.before }]);
    const long = { title: 'Rentals', parts: [...parts, { title: null, text: 'x'.repeat(2_000_000) }] };
    for (const [add, sentence] of [
      [{ title: 'Rentals' }, 'Add documents with a title, and a text or parts.'],
      [long, 'Use parts of at most 2,000,000 characters together.'],
    ] as const) {
      const response = await ask({ documents: { add: [add] } });
      expect([response.statusCode, JSON.stringify(response.json())]).toEqual([
        400,
        expect.stringContaining(sentence),
      ]);
    }
  });

  it('tries a document that another agent reads, of the same account alone', async () => {
    await conversation(['How much is renting a bicycle?', 'declined']);
    const text = { title: 'Rentals', text: '# Rentals\n\nRenting a bicycle costs 20 dollars.' };
    const other = (await app.as(token, 'POST', '/api/agents', draft)).json()._id;
    const { _id } = (await app.as(token, 'POST', `/api/agents/${other}/documents`, text)).json();
    const shared = await effectOf({ documents: { share: [_id] } });
    expect(shared.answers).toMatchObject([
      { outcomeAfter: 'answered', after: expect.stringContaining('20') },
    ]);
    await app.as(token, 'POST', `/api/agents/${agentId}/documents`, { documentId: _id });
    expect(await effectOf({ documents: { share: [_id] } })).toMatchObject({ changed: 0 });
    expect((await ask({ documents: { share: ['none'] } })).statusCode).toBe(404);
    const stranger = await app.signUp();
    const theirs = (await app.as(stranger.token, 'POST', '/api/agents', draft)).json()._id;
    const secret = (await app.as(stranger.token, 'POST', `/api/agents/${theirs}/documents`, text)).json()._id;
    expect((await ask({ documents: { share: [secret] } })).statusCode).toBe(404);
  });

  it('asks whole questions, each wording once, and neither small talk nor what an action was for', async () => {
    const id = await conversation(
      ['Hello there!', 'social'],
      ['When is your store open?', 'answered'],
      ['4471', 'asked-back'],
      ['Thanks.', 'answered'],
      ['Where is my parcel?', 'answered'],
    );
    const [parcel] = (await app.database.db.select().from(messages)).filter(
      ({ conversationId, content }) => conversationId === id && content === 'Where is my parcel?',
    );
    await app.database.db.insert(actionRuns).values({
      id: idAt(++seconds),
      conversationId: id,
      contactId: userId,
      actionId: idAt(++seconds),
      name: 'Order status',
      key: 'order',
      turnId: parcel?.id ?? '',
      inputs: {},
      outcome: 'done',
      at: new Date(),
    });
    await conversation(['when is your store open', 'answered']);
    expect((await effectOf({ companyInfo: openFrom10 })).answers).toMatchObject([
      { question: 'when is your store open' },
    ]);
    expect(await effectOf({})).toMatchObject({ asked: 1 });
  });

  it('asks what leans on what was said before with that before it', async () => {
    await conversation(['What does parking cost?', 'answered'], ['And on Sundays?', 'answered']);
    const onSundays = `${draft.companyInfo} On Sundays parking is free.`;
    expect((await effectOf({ companyInfo: onSundays })).answers).toMatchObject([
      {
        question: 'And on Sundays?',
        before: expect.not.stringMatching(/free/),
        after: expect.stringMatching(/free/),
      },
      { question: 'What does parking cost?' },
    ]);
  });

  it('answers alike for an agent that is missing and one of somebody else’s, and asks of no other agent', async () => {
    const stranger = await app.signUp();
    expect((await ask({}, stranger.token)).statusCode).toBe(404);
    await conversation(['When is your store open?', 'answered']);
    const other = (await app.as(token, 'POST', '/api/agents', draft)).json()._id;
    const response = await app.as(token, 'POST', `/api/agents/${other}/effects`, {});
    expect(response.json()).toEqual({ asked: 0, changed: 0, answers: [] });
  });

  it('says when the reader is away', async () => {
    const reading = createFakeReading();
    const dialogue = createDialogue({
      reading: { ...reading, status: () => ({ state: 'loading', message: 'The reader is being loaded.' }) },
    });
    const effects = serviceOver(dialogue);
    await expect(effects.see(aScope('ada'), 'mia', {}, new AbortController().signal)).rejects.toThrow(
      'The reader is being loaded. Please try again in a moment.',
    );
    effects.close();
    await dialogue.close();
  });
});

const never = new Promise<never>(() => {});
const mia: AgentProfile = { ...draft, id: 'mia', revision: '1', language: 'en', ownerId: 'contoso' };
const said = Array.from({ length: 4 }, (_, n) => ({
  conversationId: 'one',
  content: `Is number ${n} open?`,
}));

function serviceOver(dialogue: Pick<Dialogue, 'compare' | 'forget'>, withinMs = 600_000): EffectsService {
  return new EffectsService({
    repository: {
      conversations: async (_scope, _agentId, _limit, before) => (before === null ? ['one'] : []),
      saidIn: async () => said,
    },
    agents: { profileFor: async ({ contactId }) => (contactId === 'ada' ? mia : null) },
    documentOf: async () => null,
    dialogue,
    withinMs,
  });
}

describe('the effect of a change', () => {
  const pair: AnswerPair = {
    before: { text: 'Yes.', outcome: 'answered' },
    after: { text: 'No.', outcome: 'answered' },
  };

  it('is tried one at a time for each account, and for another as soon as the client has gone', async () => {
    const { opened: isAsking, open: asking } = door();
    const effects = serviceOver({
      forget() {},
      async *compare(_before, _after, _questions, signal) {
        asking();
        await untilAborted(never, signal);
        yield pair;
      },
    });
    const client = new AbortController();
    const first = effects.see(aScope('ada'), 'mia', {}, client.signal);
    await isAsking;
    await expect(effects.see(aScope('ada'), 'mia', {}, new AbortController().signal)).rejects.toMatchObject({
      status: 409,
    });
    client.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    const second = effects.see(aScope('ada'), 'mia', {}, new AbortController().signal);
    effects.close();
    await expect(second).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('tells as far as it came when its time is up, and what to do where it came nowhere', async () => {
    let answered = 2;
    const effects = serviceOver(
      {
        forget() {},
        async *compare(_before, _after, _questions, signal) {
          for (let n = 0; n < answered; n++) yield pair;
          await untilAborted(never, signal);
        },
      },
      1,
    );
    const { signal } = new AbortController();
    expect(await effects.see(aScope('ada'), 'mia', {}, signal)).toMatchObject({ asked: 2, changed: 2 });
    answered = 0;
    await expect(effects.see(aScope('ada'), 'mia', {}, signal)).rejects.toMatchObject({
      code: 'unavailable',
    });
    effects.close();
  });
});
