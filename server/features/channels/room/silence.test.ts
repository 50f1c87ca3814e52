import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReplyEvent } from '#server/dialogue/contract';
import type { FakePresence } from '#server/engines/participants/fake';
import type { Member } from '#server/lib/session';
import { openRoomWorld, type RoomWorld, until } from '../../../../tests/support/room-world.ts';
import { openTestDatabase, type TestDatabase } from '../../../../tests/support/test-database.ts';

const long = { silenceMs: 1_000_000, waitedForMs: 1_000_000, farewellMs: 1_000_000 };
const GREETING = 'Hello, this is Sigma of Northwind Test.';
const QUESTION = 'Are you still there?';
let database: TestDatabase;
let world: RoomWorld;
let ada: Member;
let bob: Member;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.empty());
afterEach(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

async function open(limits: Partial<typeof long>): Promise<void> {
  world = await openRoomWorld({ arrivalMs: 300, returnMs: 150, ...long, ...limits }, database);
  ada = await world.addUser('Ada');
  bob = await world.addUser('Bob');
}

/** A person is in the room with the agent. */
async function comes(user: Member, name: string): Promise<FakePresence> {
  await world.join(user, 'lobby');
  const presence = await world.presenceIn('lobby');
  presence.join({ identity: user._id, name });
  presence.listener.audible();
  return presence;
}

/** The agent's nth speech begins and is played to its end. */
async function plays(presence: FakePresence, n: number): Promise<void> {
  const speechId = await until(() => {
    const [id, speech] = [...presence.speeches][n - 1] ?? [];
    return speech?.isFinished ? id : undefined;
  }, `speech ${n}`);
  presence.listener.speechBegan(speechId);
  presence.listener.speechEnded({ speechId, playedMs: 2_000 });
}

const leavingTo = (leavesTo: 'wait' | 'end', text: string) =>
  async function* (): AsyncGenerator<ReplyEvent> {
    if (text) yield { type: 'sentence', index: 0, text, isLast: true };
    yield { type: 'reply', text, citations: [], outcome: 'social', leavesTo };
  };

const stored = (user: Member, ...lines: string[]) =>
  until(async () => {
    const transcript = await world.transcript(user);
    return transcript.length >= lines.length ? transcript : undefined;
  }, lines.join(' | ')).then((transcript) => expect(transcript).toEqual(lines));

describe('in a room', () => {
  it('somebody alone with the agent who says nothing is asked once whether they are there', async () => {
    await open({ silenceMs: 20 });
    const presence = await comes(ada, 'Ada');
    await plays(presence, 1);
    await plays(presence, 2);
    await stored(ada, `Sigma: ${GREETING}`, `Sigma: ${QUESTION}`);
    const ears = await world.earsOf(1);
    world.dialogue.answer = leavingTo('wait', 'Good.');
    ears.says('Yes.');
    await stored(ada, `Sigma: ${GREETING}`, `Sigma: ${QUESTION}`, 'me: Yes.', 'Sigma: Good.');
    await plays(presence, 3);
  });

  it('who asks for a moment hears nothing until the longer silence is over', async () => {
    await open({ waitedForMs: 20 });
    const presence = await comes(ada, 'Ada');
    await plays(presence, 1);
    const ears = await world.earsOf(1);
    world.dialogue.answer = leavingTo('wait', '');
    ears.says('Hold on a second.');
    await plays(presence, 2);
    await stored(ada, `Sigma: ${GREETING}`, 'me: Hold on a second.', 'Sigma: ', `Sigma: ${QUESTION}`);
  });

  it('the call ends after a goodbye from both, and the room with it', async () => {
    await open({ farewellMs: 20 });
    const presence = await comes(ada, 'Ada');
    await plays(presence, 1);
    const ears = await world.earsOf(1);
    world.dialogue.answer = leavingTo('end', 'Goodbye!');
    ears.says('Thanks, bye.');
    await plays(presence, 2);
    await until(() => world.rooms.deleted[0], 'the end of the room');
    expect(presence.hasLeft).toBe(true);
    const [record] = await world.records(ada);
    expect(record?.metadata.ended).toBeDefined();
    await stored(ada, `Sigma: ${GREETING}`, 'me: Thanks, bye.', 'Sigma: Goodbye!');
    expect(await world.openRecords()).toEqual([]);
  });

  it('of several people nobody is put out: the agent leaves', async () => {
    await open({ farewellMs: 20 });
    const presence = await comes(ada, 'Ada');
    await plays(presence, 1);
    await comes(bob, 'Bob');
    const ears = await world.earsOf(1);
    await world.earsOf(2);
    world.dialogue.answer = leavingTo('end', 'Goodbye!');
    ears.says('Sigma, thanks and goodbye.');
    await plays(presence, 2);
    await until(() => presence.hasLeft, 'the agent to leave');
    expect(world.rooms.deleted).toEqual([]);
  });
});
