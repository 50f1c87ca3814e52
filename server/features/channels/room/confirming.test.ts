import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AgentAction } from '#server/dialogue/contract';
import { createDialogue, type GroundedDialogue } from '#server/dialogue/respond';
import { createFakeActions } from '#server/engines/actions/fake';
import type { FakePresence } from '#server/engines/participants/fake';
import type { ReadingEngine } from '#server/engines/reading/contract';
import { createReading } from '#server/engines/reading/index';
import { ActionsRepository } from '#server/features/actions/repository';
import { ActionRuns, type UnsealedAction } from '#server/features/actions/runs';
import { keepAttachedChange } from '#server/features/agents/versions/repository';
import type { Member } from '#server/lib/session';
import { ownScope } from '../../../../tests/factories.ts';
import { engineReady, PATIENT } from '../../../../tests/support/engine-ready.ts';
import { openRoomWorld, type RoomWorld, until } from '../../../../tests/support/room-world.ts';
import type { ScriptedTurnTaking } from '../../../../tests/support/scripted-turn-taking.ts';
import { openTestDatabase, type TestDatabase } from '../../../../tests/support/test-database.ts';

/* People in a room with an agent that refunds orders, with the real dialogue and real records. */

const refund: AgentAction = {
  id: '01900000-0000-7000-8000-000000000001',
  name: 'Ask for a refund',
  when: 'The customer wants their money back for an order.',
  inputs: [{ name: 'order', label: 'Order number', type: 'digits', pattern: '\\d{4}', required: true }],
  confirm: true,
};

let reading: ReadingEngine;
let brain: GroundedDialogue;
let database: TestDatabase;
let world: RoomWorld;
let shop: ReturnType<typeof createFakeActions>;
let ada: Member;
let bob: Member;
let presence: FakePresence;
let adas: ScriptedTurnTaking;
let bobs: ScriptedTurnTaking;
beforeAll(async () => {
  reading = createReading();
  brain = createDialogue({ ...PATIENT, reading });
  database = await openTestDatabase();
  await engineReady(reading);
});
afterAll(async () => {
  await brain.close();
  await reading.close();
  await database.close();
});
beforeEach(async () => {
  await database.empty();
  shop = createFakeActions(() => ({ outcome: 'done', status: 200, answer: { reference: 'R-7' } }));
  const runs = new ActionRuns(new ActionsRepository(database.db, keepAttachedChange), shop);
  world = await openRoomWorld({ unansweredMs: 30 }, database, {
    brain,
    actions: {
      listFor: async () => [refund],
      run: (context, call, signal) =>
        runs.run({ ...system, agentId: context.agent.id }, context, call, signal),
    },
  });
  ada = await world.addUser('Ada');
  bob = await world.addUser('Bob');
  const agentId = await world.addAgent(ada, 'Robin');
  await world.join(ada, 'shop', agentId);
  await world.join(bob, 'shop');
  presence = await world.presenceIn('shop');
  presence.join({ identity: ada._id, name: 'Ada' });
  presence.listener.audible();
  await playedOut();
  presence.join({ identity: bob._id, name: 'Bob' });
  [adas, bobs] = [await world.earsOf(1), await world.earsOf(2)];
});
afterEach(async () => {
  await world.close();
  expect(world.failures).toEqual([]);
});

const system: UnsealedAction = {
  ...refund,
  inputs: [...refund.inputs],
  agentId: '',
  workspaceId: '01900000-0000-7000-8000-000000000002',
  method: 'POST',
  url: 'https://shop.example/refunds',
  tool: null,
  headers: {},
  body: { order: '{order}' },
  says: 'Refund {answer.reference} is under way.',
  createdAt: new Date(),
};

const heard = new WeakSet<object>();

/** The agent's next words, completely received and played. */
async function playedOut(): Promise<void> {
  const speechId = await until(() => {
    const [id, speech] = [...presence.speeches].at(-1) ?? [];
    return speech?.isFinished && !heard.has(speech) && heard.add(speech) ? id : undefined;
  }, 'a speech');
  presence.listener.speechBegan(speechId);
  presence.listener.speechEnded({ speechId, playedMs: 2_000 });
}

/** A person says something to the agent. @returns its answer */
async function says(who: ScriptedTurnTaking, text: string): Promise<string> {
  who.says(text);
  await playedOut();
  const answer = () => world.transcript(bob).then((lines) => lines.at(-1)?.replace(/^Robin: /, ''));
  const count = presence.speeches.size - 1;
  return until(async () => {
    const lines = (await world.transcript(bob)).filter((line) => line.startsWith('Robin: '));
    return lines.length >= count ? answer() : undefined;
  }, 'the answer');
}

it('sends nothing for a guest’s yes, and what waits waits on', async () => {
  expect(await says(adas, 'Robin, I want my money back for order 4471.')).toMatch(/4471.*go ahead\?$/);
  expect(await says(bobs, 'Yes, please go ahead, Robin.')).toBe(
    'I asked somebody else that, so I need to hear it from them.',
  );
  expect(shop.asked).toEqual([]);
  expect(await says(adas, 'Yes, please go ahead, Robin.')).toMatch(/Refund R-7 is under way\.$/);
  expect(shop.asked).toMatchObject([{ body: { order: '4471' } }]);
});

it('does not read to a guest what somebody else asked for, nor keep it in their record', async () => {
  await says(adas, 'Robin, I want my money back for order 4471.');
  expect(await says(bobs, 'Robin, what is this about?')).not.toContain('4471');
  const { rows } = await database.pool.query(
    'select messages.state::text as state from messages join conversations on conversations.id = conversation_id where contact_id = $1',
    [bob._id],
  );
  expect(rows.map(({ state }) => state).join(' ')).not.toContain('4471');
});

it('does for the room once what two confirm', async () => {
  for (const who of [adas, bobs]) await says(who, 'Robin, I want my money back for order 4471.');
  expect(await says(bobs, 'Yes, please go ahead, Robin.')).toMatch(/Refund R-7 is under way\.$/);
  await says(adas, 'Yes, please go ahead, Robin.');
  const answer = await says(adas, 'Yes, please go ahead, Robin.');
  expect(answer).toMatch(/That is done already\.$/);
  expect(answer).not.toContain('R-7');
  expect(shop.asked).toHaveLength(1);
});

it('does not do it again for a new record of the same call', async () => {
  await says(adas, 'Robin, I want my money back for order 4471.');
  await says(adas, 'Yes, please go ahead, Robin.');
  const [record] = await world.records(ada);
  await world.conversations.end(ownScope(ada), record?._id ?? '');
  await says(adas, 'Robin, I want my money back for order 4471.');
  expect(await says(adas, 'Yes, please go ahead, Robin.')).toMatch(/done already/);
  expect(await world.records(ada)).toHaveLength(2);
  expect(shop.asked).toHaveLength(1);
});
