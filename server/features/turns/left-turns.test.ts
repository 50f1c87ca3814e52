import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Bell } from '#server/events/bell';
import { Outbox } from '#server/events/outbox';
import { EventsRepository } from '#server/events/repository';
import { memberScope } from '#server/lib/scope';
import { type CallWorld, openCallWorld, type TestUser } from '../../../tests/support/call-world.ts';
import { door } from '../../../tests/support/scripted-engines.ts';
import { turnsSubscription } from './subscription.ts';

/* A killed instance leaves an acknowledged message without an answer. */

let world: CallWorld;
let user: TestUser;
let conversationId: string;
const open: Outbox[] = [];
const REPLY = 'You said: Hi Anything else?';
beforeAll(async () => {
  world = await openCallWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.reset();
  await world.database.empty();
  user = await world.addUser();
  const client = await world.connect(user);
  ({ conversationId } = await client.start());
});
afterEach(async () => {
  for (const outbox of open.splice(0)) await outbox.close();
});

/** An instance that reads events from now on. */
async function anInstanceReads() {
  const outbox = new Outbox({
    repository: new EventsRepository(world.database.db),
    bell: new Bell(world.sharedState),
    alone: world.database.alone,
    subscriptions: [
      turnsSubscription({
        ...{ conversations: world.conversations, calls: world.calls, afterMs: 1, lookMs: 5 },
        onFailure: (error) => world.failures.push({ what: 'left', error }),
      }),
    ],
    onFailure: (about, error) => world.failures.push({ what: JSON.stringify(about), error }),
  });
  open.push(outbox);
  await outbox.start();
  await outbox.idle();
  return outbox;
}

const left = (text: string, clientMessageId?: string) =>
  world.conversations.addUserMessage(memberScope(user), conversationId, text, clientMessageId);

const transcript = async () =>
  (await world.conversations.messages(memberScope(user), conversationId))
    .slice(1)
    .map(({ content }) => content);

/** Long enough for an unwanted event to happen. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 60));

describe('a turn that was left', () => {
  it('is answered by the next server, once, though nobody asks again', async () => {
    await left('Hi');
    await anInstanceReads();
    await expect.poll(transcript).toEqual(['Hi', REPLY]);
    await aWhile();
    expect(world.dialogue.turns).toHaveLength(1);
  });

  it('is answered by an instance that was there before', async () => {
    const outbox = await anInstanceReads();
    await left('Hi');
    await outbox.idle();
    await expect.poll(transcript).toEqual(['Hi', REPLY]);
  });

  it('is told to whoever has the conversation open', async () => {
    const following = await world.connect(user);
    await following.start({ conversationId });
    await left('Hi');
    await anInstanceReads();
    expect(await following.nth('ai_response')).toMatchObject({ message: REPLY });
  });

  it('is answered after those before it', async () => {
    await left('When are you open?');
    await left('What does it cost?');
    await anInstanceReads();
    await expect.poll(async () => (await transcript()).length).toBe(4);
    expect(world.dialogue.turns.map(({ text }) => text)).toEqual([
      'When are you open?',
      'What does it cost?',
    ]);
  });

  it('is left alone while another instance answers in its conversation', async () => {
    const seat = await world.sharedState.take(`turn in ${conversationId}`, 1);
    await left('Hi');
    await anInstanceReads();
    await aWhile();
    expect(world.dialogue.turns).toEqual([]);
    seat?.release();
    await expect.poll(transcript).toEqual(['Hi', REPLY]);
  });

  it('is answered once when its client comes back at that moment', async () => {
    const gate = door();
    world.dialogue.answer = async function* () {
      await gate.opened;
      yield { type: 'sentence', index: 0, text: REPLY, isLast: true };
      yield { type: 'reply', text: REPLY, citations: [], outcome: 'answered' };
    };
    await left('Hi', 'a');
    await anInstanceReads();
    await expect.poll(() => world.dialogue.turns).toHaveLength(1);
    const client = await world.connect(user);
    await client.start({ conversationId });
    expect(await client.say(conversationId, 'Hi', { clientMessageId: 'a' })).toMatchObject({ ok: true });
    gate.open();
    await client.nth('ai_response');
    await aWhile();
    expect(world.dialogue.turns).toHaveLength(1);
    expect(await transcript()).toEqual(['Hi', REPLY]);
  });
});

describe('a turn is not taken up', () => {
  it('whose conversation is over', async () => {
    await left('Hi');
    await world.conversations.end(memberScope(user), conversationId);
    await anInstanceReads();
    await aWhile();
    expect(world.dialogue.turns).toEqual([]);
  });

  it('that is too old', async () => {
    await left('Hi');
    await world.database.db.execute(sql`update messages set created_at = now() - interval '11 minutes'`);
    await anInstanceReads();
    await aWhile();
    expect(world.dialogue.turns).toEqual([]);
  });

  it('that failed, which its client was told, until the client asks again and is left, too', async () => {
    world.dialogue.answer = () => {
      throw new Error('It is broken.');
    };
    const client = await world.connect(user);
    await client.start({ conversationId });
    await client.say(conversationId, 'Hi', { clientMessageId: 'a' });
    await client.nth('error');
    await world.calls.idle();
    const stored = await world.conversations.addUserMessage(memberScope(user), conversationId, 'Hi', 'a');
    await expect
      .poll(
        async () =>
          (await world.database.db.execute(sql`select from events where type = 'turn.failed'`)).rowCount,
      )
      .toBe(1);
    world.reset();
    const outbox = await anInstanceReads();
    await aWhile();
    expect(world.dialogue.turns).toEqual([]);
    await world.conversations.tellTakenAgain(memberScope(user), stored);
    await outbox.idle();
    await expect.poll(transcript).toEqual(['Hi', REPLY]);
  });

  it('again and again: it may be what ends whoever answers it', async () => {
    const stored = await left('Hi');
    for (const times of [2, 3]) await world.conversations.tellTakenAgain(memberScope(user), stored, times);
    await anInstanceReads();
    await aWhile();
    expect(world.dialogue.turns).toEqual([]);
  });

  it('where the message was not for the agent', async () => {
    await world.calls.note({ scope: memberScope(user), conversationId, text: 'Not you.' });
    await anInstanceReads();
    await aWhile();
    expect(world.dialogue.turns).toEqual([]);
  });
});
