import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { textOfSound } from '#server/engines/encoding/fake';
import type { FakePresence } from '#server/engines/participants/fake';
import type { Member } from '#server/lib/session';
import { ownScope } from '../../../../tests/factories.ts';
import { openRoomWorld, type RoomWorld, until } from '../../../../tests/support/room-world.ts';
import { sentencesOf } from '../../../../tests/support/scripted-engines.ts';
import { openTestDatabase, type TestDatabase } from '../../../../tests/support/test-database.ts';

let database: TestDatabase;
let world: RoomWorld;
let ada: Member;
let bob: Member;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.empty();
  world = await openRoomWorld({ unansweredMs: 30, arrivalMs: 300, returnMs: 150 }, database);
  ada = await world.addUser('Ada');
  bob = await world.addUser('Bob');
});
afterEach(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

const GREETING = 'Hello, this is Sigma of Northwind Test.';

/** Ada is in the room with the agent and was greeted. */
async function greeted(): Promise<FakePresence> {
  await world.join(ada, 'lobby');
  const presence = await world.presenceIn('lobby');
  presence.join({ identity: ada._id, name: 'Ada' });
  presence.listener.audible();
  await playedOut(presence);
  return presence;
}

/** The current speech begins and is played to its end. */
async function playedOut(presence: FakePresence): Promise<string> {
  const speechId = await finished(presence);
  presence.listener.speechBegan(speechId);
  presence.listener.speechEnded({ speechId, playedMs: 2_000 });
  return speechId;
}

/** The id of the newest speech, once all of it was received. */
const finished = (presence: FakePresence) =>
  until(() => {
    const [id, speech] = [...presence.speeches].at(-1) ?? [];
    return speech?.isFinished && !done.has(speech) && done.add(speech) ? id : undefined;
  }, 'a speech');
const done = new WeakSet<object>();

const bobComes = async (presence: FakePresence) => {
  await world.join(bob, 'lobby');
  presence.join({ identity: bob._id, name: 'Bob' });
  return world.earsOf(2);
};

const stored = (user: Member, ...lines: string[]) =>
  until(async () => {
    const transcript = await world.transcript(user);
    return transcript.length >= lines.length ? transcript : undefined;
  }, lines.join(' | ')).then((transcript) => expect(transcript).toEqual(lines));

describe('the agent in a room', () => {
  it('greets the first person once, and says where their record is', async () => {
    const presence = await greeted();
    await bobComes(presence);
    await stored(ada, `Sigma: ${GREETING}`);
    expect([...presence.speeches.values()].map(({ pieces: [piece] }) => piece && textOfSound(piece))).toEqual(
      [GREETING],
    );
    const [record] = await world.records(ada);
    expect(presence.told[0]).toEqual({
      identity: ada._id,
      topic: 'sigma.conversation',
      payload: JSON.stringify({ conversationId: record?._id }),
    });
    expect(record).toMatchObject({ title: 'Live call in lobby', roomName: 'lobby', agentName: 'Sigma' });
  });

  it('lets nobody new in while nobody would be understood in time, and whoever was there back', async () => {
    await greeted();
    world.earsWait.ms = 3_001;
    for (const roomName of ['lobby', 'another room'])
      await expect(world.join(bob, roomName)).rejects.toMatchObject({
        status: 503,
        message: 'Too many people are speaking at the moment. Please try again in a minute.',
      });
    await expect(world.join(ada, 'lobby')).resolves.toMatchObject({ roomName: 'lobby' });
    world.earsWait.ms = 0;
    await expect(world.join(bob, 'lobby')).resolves.toMatchObject({ roomName: 'lobby' });
  });

  it('answers who is alone with it, and shows what it does and hears', async () => {
    const presence = await greeted();
    const ears = await world.earsOf(1);
    ears.says('When do you open?');
    const speechId = await finished(presence);
    presence.listener.speechBegan(speechId);
    presence.listener.speechPlayed({ speechId, playedMs: 700 });
    presence.listener.speechEnded({ speechId, playedMs: 2_000 });
    const answer = 'You said: When do you open? Anything else?';
    await stored(ada, `Sigma: ${GREETING}`, 'me: When do you open?', `Sigma: ${answer}`);
    const states = presence.attributeLog.filter((entry) => entry.startsWith('lk.agent.state='));
    expect(states.slice(-3).map((entry) => entry.split('=')[1])).toEqual([
      'thinking',
      'speaking',
      'listening',
    ]);
    const captions = presence.captions.map(({ text, isFinal, speaker }) => [
      speaker ? 'Ada' : 'Sigma',
      text,
      isFinal,
    ]);
    expect(captions).toContainEqual(['Ada', 'When do you open?', false]);
    expect(captions).toContainEqual(['Ada', 'When do you open?', true]);
    expect(captions).toContainEqual(['Sigma', 'You said: When do you', false]);
    expect(captions.at(-1)).toEqual(['Sigma', answer, true]);
    expect(ears.agentSaid.slice(-2)).toEqual([answer, null]);
    const [record] = await world.records(ada);
    const question = record?.messages?.find(({ role }) => role === 'user');
    await until(async () => (await world.records(ada))[0]?.messages?.[1]?.audioUrl, 'the recording');
    expect(question?.saidBy).toBeUndefined();
  });

  it('pauses for whoever speaks over it and goes on, or ends with what was heard', async () => {
    const presence = await greeted();
    const ears = await world.earsOf(1);
    ears.says('Tell me everything.');
    const speechId = await finished(presence);
    presence.listener.speechBegan(speechId);
    ears.tells.hold();
    expect(presence.isHeld).toBe(true);
    ears.tells.release();
    expect(presence.isHeld).toBe(false);
    ears.tells.hold();
    presence.playedMs = 1_120;
    ears.tells.interrupt();
    await stored(
      ada,
      `Sigma: ${GREETING}`,
      'me: Tell me everything.',
      'Sigma: You said: Tell me everything. Anything else?',
    ).catch(() => {});
    await until(
      async () => ((await world.transcript(ada)).at(-1)?.endsWith('(cut)') ? true : undefined),
      'the cut',
    );
    expect((await world.transcript(ada)).at(-1)).toBe('Sigma: You said: Tell me everything. (cut)');
    expect(presence.isHeld).toBe(false);
    expect(presence.stopped).toEqual([speechId]);
    ears.says('And on Sundays?');
    await playedOut(presence);
    await until(
      async () => ((await world.transcript(ada)).length === 5 ? true : undefined),
      'the next answer',
    );
  });

  it('takes two utterances as one question when the first answer was called off unheard', async () => {
    const presence = await greeted();
    const ears = await world.earsOf(1);
    ears.says('I would like to know');
    await finished(presence);
    ears.tells.hold();
    ears.tells.interrupt();
    await until(() => (presence.stopped.length === 1 ? true : undefined), 'the stop');
    await until(
      async () => ((await world.transcript(ada)).length === 3 ? true : undefined),
      'the withdrawal',
    );
    ears.says('when you open.', { continues: true, thinking: false });
    await playedOut(presence);
    expect(world.dialogue.turns.at(-1)?.text).toBe('I would like to know when you open.');
  });

  it('is silent while people talk to each other, and both find all of it under their names', async () => {
    const presence = await greeted();
    const adas = await world.earsOf(1);
    const bobs = await bobComes(presence);
    adas.says('I bought mine last year.');
    await stored(bob, 'Ada: I bought mine last year.');
    bobs.says('Nice one.');
    await stored(ada, `Sigma: ${GREETING}`, 'me: I bought mine last year.', 'Bob: Nice one.');
    await stored(bob, 'Ada: I bought mine last year.', 'me: Nice one.');
    expect(world.dialogue.turns).toEqual([]);
    expect(adas.agentSaid.at(-1)).toBeNull();
  });

  it('answers when it is called by name; everybody gets question and answer', async () => {
    const presence = await greeted();
    const bobs = await bobComes(presence);
    bobs.says('Sigma, when do you open?');
    await playedOut(presence);
    expect(world.dialogue.turns.at(-1)).toMatchObject({ channel: 'room', speaker: 'Bob' });
    const said = 'Sigma, when do you open?';
    const answer = `You said: ${said} Anything else?`;
    await stored(bob, `me: ${said}`, `Sigma: ${answer}`);
    await stored(ada, `Sigma: ${GREETING}`, `Bob: ${said}`, `Sigma: ${answer}`);
  });

  it('says in every record what came of its answer, and goes on from there whoever speaks next', async () => {
    const presence = await greeted();
    const bobs = await bobComes(presence);
    const contact = { name: 'Bob' };
    world.dialogue.answer = async function* ({ text }) {
      for await (const event of sentencesOf(`You said: ${text}`))
        yield event.type === 'reply'
          ? {
              ...event,
              outcome: 'handover',
              state: { waits: true },
              stateForOthers: { asked: text },
              contact,
            }
          : event;
    };
    bobs.says('Sigma, call me back, please.');
    await playedOut(presence);
    for (const person of [ada, bob]) {
      const record = await until(async () => {
        const [newest] = await world.records(person);
        return newest?.outcome ? newest : undefined;
      }, 'the outcome');
      expect(record).toMatchObject({ outcome: 'handover', contact });
    }
    (await world.earsOf(1)).says('Sigma, when do you open?');
    await playedOut(presence);
    expect(world.dialogue.turns.at(-1)?.history.at(-1)).toMatchObject({
      isOthers: true,
      state: { asked: 'Sigma, call me back, please.' },
    });
    // A speech may be received a moment before its answer is stored: Bob speaks once both records have it.
    await until(
      async () => ((await world.transcript(bob)).length >= 4 ? true : undefined),
      'the answer to Ada in the record of Bob',
    );
    bobs.says('Sigma, and on Sundays?');
    await playedOut(presence);
    const told = world.dialogue.turns.at(-1)?.history.slice(-4);
    expect(told?.map(({ isOthers = false, state }) => [isOthers, state])).toEqual([
      [false, undefined],
      [false, { waits: true }],
      [true, undefined],
      [true, { asked: 'Sigma, when do you open?' }],
    ]);
  });

  it('takes up a question that nobody answers, and no question that somebody does', async () => {
    const presence = await greeted();
    const adas = await world.earsOf(1);
    const bobs = await bobComes(presence);
    bobs.says('Hi there.');
    adas.says('When do they open on Sundays?');
    bobs.tells.speaking(true);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(world.dialogue.turns).toEqual([]);
    bobs.takes('At nine, I think.');
    await stored(bob, 'me: Hi there.', 'Ada: When do they open on Sundays?', 'me: At nine, I think.');
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(world.dialogue.turns).toEqual([]);
    adas.says('What does the shipping cost?');
    await until(() => (world.dialogue.turns.length > 0 ? true : undefined), 'the agent');
    expect(world.dialogue.turns.at(-1)?.text).toBe('What does the shipping cost?');
    await playedOut(presence);
    await until(
      async () => (await world.transcript(ada)).at(-1)?.startsWith('Sigma: You said') || undefined,
      'it',
    );
    expect((await world.transcript(ada)).filter((line) => line.includes('shipping cost')).length).toBe(2);
  });

  it('does not talk over somebody else, and answers one after the other', async () => {
    // A reply prepared too late is requested again.
    const asked = () => [...new Set(world.dialogue.turns.map(({ text }) => text))];
    const presence = await greeted();
    const adas = await world.earsOf(1);
    const bobs = await bobComes(presence);
    bobs.tells.speaking(true);
    adas.says('Sigma, when do you open?');
    await finished(presence);
    expect(presence.isHeld).toBe(true);
    bobs.takes('Sigma, what is the shipping?');
    expect(presence.isHeld).toBe(false);
    const [first] = [...presence.speeches.keys()].slice(-1);
    presence.listener.speechBegan(first ?? '');
    expect(asked()).toEqual(['Sigma, when do you open?']);
    presence.listener.speechEnded({ speechId: first ?? '', playedMs: 2_000 });
    await playedOut(presence);
    expect(asked()).toEqual(['Sigma, when do you open?', 'Sigma, what is the shipping?']);
  });

  it('answers for the agent that the room was made with, whoever asks', async () => {
    const agentId = await world.addAgent(ada, 'Mia');
    await world.join(ada, 'shop', agentId);
    await world.service.doors.change(ada._id, 'shop', { agentStays: true });
    const presence = await world.presenceIn('shop');
    presence.join({ identity: bob._id, name: 'Bob' });
    presence.listener.audible();
    await playedOut(presence);
    (await world.earsOf(1)).says('When do you open?');
    await playedOut(presence);
    await until(() => world.dialogue.turns.at(-1), 'the turn');
    expect(world.dialogue.turns.at(-1)?.agent).toMatchObject({ id: agentId, name: 'Mia' });
    const [record] = await world.records(bob);
    expect(record).toMatchObject({ agentName: 'Mia' });
    expect(record?.agentId).toBeUndefined();
  });

  it('answers from what its owner wrote only while they are there, or let it stay', async () => {
    const asked = () => [...new Set(world.dialogue.turns.map(({ text }) => text))];
    const agentId = await world.addAgent(ada, 'Mia');
    await world.join(ada, 'shop', agentId);
    const presence = await world.presenceIn('shop');
    presence.join({ identity: bob._id, name: 'Bob' });
    presence.listener.audible();
    await playedOut(presence);
    const bobs = await world.earsOf(1);
    bobs.says('Mia, when do you open?');
    await until(async () => (await world.transcript(bob)).includes('me: Mia, when do you open?'), 'it');
    expect(world.dialogue.turns).toEqual([]);
    const notice = 'Mia only listens: it answers while its owner is in the room.';
    expect(presence.attributes['sigma.notice']).toBe(notice);

    presence.join({ identity: ada._id, name: 'Ada' });
    bobs.says('Mia, when do you open?');
    await playedOut(presence);
    expect(asked()).toEqual(['Mia, when do you open?']);

    presence.listener.memberLeft(ada._id, 'left');
    bobs.says('Mia, where are you?');
    await until(async () => (await world.transcript(bob)).includes('me: Mia, where are you?'), 'it');
    expect(asked()).toHaveLength(1);
    await world.service.doors.change(ada._id, 'shop', { agentStays: true });
    bobs.says('Mia, what is the shipping?');
    await playedOut(presence);
    expect(asked().at(-1)).toBe('Mia, what is the shipping?');

    await world.service.accountHeld(ada._id);
    bobs.says('Mia, and what do lamps cost?');
    const last = 'me: Mia, and what do lamps cost?';
    await until(async () => (await world.transcript(bob)).includes(last), 'it');
    expect(asked()).toHaveLength(2);
  });

  it('says in the room what keeps it from hearing or speaking', async () => {
    world.trouble.sentence = 'The ears are still being fetched (43 %).';
    const presence = await greeted();
    expect(presence.attributes['sigma.notice']).toBe('The ears are still being fetched (43 %).');
    (await world.earsOf(1)).tells.failed('The recognition stopped.', false);
    world.trouble.sentence = null;
    (await world.earsOf(1)).tells.failed('The recognition stopped.', false);
    expect(presence.attributes['sigma.notice']).toBe('The recognition stopped.');
  });

  it('shows its words where there is no voice', async () => {
    const presence = await greeted();
    world.synthesis.state = 'failed';
    const ears = await world.earsOf(1);
    ears.says('When do you open?');
    await until(
      () =>
        presence.captions.find(
          ({ text, isFinal, speaker }) => !speaker && isFinal && text.startsWith('You said'),
        ),
      'it',
    );
    expect(ears.agentSaid.slice(-2)).toEqual(['You said: When do you open? Anything else?', null]);
    ears.says('Really?');
    await until(() => (world.dialogue.turns.length === 2 ? true : undefined), 'the next turn');
  });

  it('neither hears nor writes down who was not let in by this server', async () => {
    const presence = await greeted();
    presence.join({ identity: bob._id, name: 'Bob', metadata: '' });
    presence.join({ identity: 'sip-4711', name: 'Phone' });
    expect(world.ears.length).toBe(1);
    expect(await world.records(bob)).toEqual([]);
  });
});

describe('what the agent does', () => {
  it('is said from its coming on: it listens once it has greeted', async () => {
    await world.join(ada, 'lobby');
    const presence = await world.presenceIn('lobby');
    presence.join({ identity: ada._id, name: 'Ada' });
    const states = () => presence.attributeLog.filter((entry) => entry.startsWith('lk.agent.state='));
    await until(async () => (await world.records(ada))[0], 'the record');
    expect(states()).toEqual([]);
    expect(presence.speeches.size).toBe(0);
    presence.listener.audible();
    await playedOut(presence);
    expect(states()).toEqual(['lk.agent.state=speaking', 'lk.agent.state=listening']);
  });
});

describe('the record of a live call', () => {
  it('ends when its person leaves; the agent leaves with the last one', async () => {
    const presence = await greeted();
    await bobComes(presence);
    (await world.earsOf(1)).says('Bob, are you there?');
    await stored(bob, 'Ada: Bob, are you there?');
    presence.listener.memberLeft(bob._id, 'left');
    await until(async () => (await world.records(bob))[0]?.metadata.ended, 'the end of Bob’s record');
    expect(presence.hasLeft).toBe(false);
    presence.listener.memberLeft(ada._id, 'left');
    await until(() => presence.hasLeft || undefined, 'the agent to leave');
    expect((await world.records(ada))[0]?.metadata.ended).toBeDefined();
    expect(await world.openRecords()).toEqual([]);
  });

  it('is not kept where nobody said a word to the agent', async () => {
    const presence = await greeted();
    await stored(ada, `Sigma: ${GREETING}`);
    presence.listener.memberLeft(ada._id, 'left');
    await until(() => presence.hasLeft || undefined, 'the agent to leave');
    await until(async () => ((await world.records(ada)).length === 0 ? true : undefined), 'the record to go');
    expect(await world.openRecords()).toEqual([]);
  });

  it('keeps what was said up to the last word of somebody who leaves while speaking', async () => {
    const presence = await greeted();
    const ears = await world.earsOf(1);
    ears.whenEnded = () => ears.takes('Thank you, good bye.');
    presence.listener.memberLeft(ada._id, 'left');
    await stored(ada, `Sigma: ${GREETING}`, 'me: Thank you, good bye.');
    await until(async () => (await world.records(ada))[0]?.metadata.ended, 'the end');
  });

  it('keeps the last words of somebody whose microphone and then whose connection went', async () => {
    const presence = await greeted();
    const ears = await world.earsOf(1);
    let recognized = () => {};
    ears.whenEnded = async () => {
      await new Promise<void>((resolve) => {
        recognized = resolve;
      });
      ears.takes('Where is my parcel');
    };
    presence.listener.microphoneClosed(ada._id);
    presence.listener.memberLeft(ada._id, 'lost');
    await new Promise((resolve) => setTimeout(resolve, 50));
    recognized();
    await stored(ada, `Sigma: ${GREETING}`, 'me: Where is my parcel');
    expect(presence.attributes['sigma.notice'] ?? '').toBe('');
  });

  it('goes on for whoever comes back after a broken connection', async () => {
    const presence = await greeted();
    presence.listener.memberLeft(ada._id, 'lost');
    presence.join({ identity: ada._id, name: 'Ada' });
    (await world.earsOf(2)).says('I am back again.');
    await playedOut(presence);
    await until(async () => ((await world.transcript(ada)).length === 3 ? true : undefined), 'the answer');
    expect(await world.records(ada)).toHaveLength(1);
    expect((await world.records(ada))[0]?.metadata.ended).toBeUndefined();
  });

  it('goes on elsewhere when its person has ended or deleted it meanwhile', async () => {
    const presence = await greeted();
    await until(async () => (await world.records(ada))[0]?.messages?.[0], 'the greeting');
    const [record] = await world.records(ada);
    await world.conversations.delete(ownScope(ada), record?._id ?? '');
    (await world.earsOf(1)).says('Are you still there?');
    await playedOut(presence);
    await stored(ada, 'me: Are you still there?', 'Sigma: You said: Are you still there? Anything else?');
  });

  it('survives a restart: the agent comes back to the room, and the same record goes on', async () => {
    const before = await openRoomWorld({}, database);
    const cara = await before.addUser('Cara');
    await before.join(cara, 'lobby');
    const first = await before.presenceIn('lobby');
    first.join({ identity: cara._id, name: 'Cara' });
    first.listener.audible();
    await playedOut(first);
    await until(async () => (await before.transcript(cara))[0], 'the greeting');
    await before.close();

    const after = await openRoomWorld({}, database);
    after.rooms.tell({
      type: 'participant_joined',
      room: 'lobby',
      roomSid: 'RM_2',
      participant: {
        sid: 'PA_2',
        identity: cara._id,
        name: 'Cara',
        kind: 'standard',
        metadata: '{"role":"customer"}',
        joinedAt: new Date(),
        state: 'joining',
        permissions: { canPublish: true, canSubscribe: true, canPublishData: true, hidden: false },
        tracks: [],
      },
    });
    const second = await after.presenceIn('lobby');
    second.join({ identity: cara._id, name: 'Cara' });
    second.listener.audible();
    (await after.earsOf(1)).says('Where were we?');
    await until(async () => ((await after.transcript(cara)).length === 3 ? true : undefined), 'the answer');
    expect(await after.transcript(cara)).toEqual([
      `Sigma: ${GREETING}`,
      'me: Where were we?',
      'Sigma: You said: Where were we? Anything else?',
    ]);
    expect(await after.records(cara)).toHaveLength(1);
    expect([...before.failures, ...after.failures]).toEqual([]);
    await after.close();
  });

  it('is ended by the next server when nobody comes back', async () => {
    const before = await openRoomWorld({ recordLifeMs: 1 }, database);
    const cara = await before.addUser('Cara');
    await before.join(cara, 'lobby');
    (await before.presenceIn('lobby')).join({ identity: cara._id, name: 'Cara' });
    await until(async () => (await before.openRecords())[0], 'the record');
    await before.close();
    // The next server checks once at its start: by then the millisecond must be over.
    await new Promise((resolve) => setTimeout(resolve, 50));
    const after = await openRoomWorld({}, database);
    // The customer said nothing, so it may be deleted as soon as it has ended.
    await until(
      async () => (await after.records(cara)).every(({ metadata }) => metadata.ended) || undefined,
      'the end',
    );
    expect(
      await until(async () => ((await after.openRecords()).length === 0 ? true : undefined), 'none'),
    ).toBe(true);
    await after.close();
  });
});

describe('agents on duty', () => {
  it('leave when nobody comes', async () => {
    await world.join(ada, 'lobby');
    const presence = await world.presenceIn('lobby');
    await until(() => presence.hasLeft || undefined, 'the agent to leave');
  });

  it.each(['lost', 'replaced'] as const)('come back to a room that was lost (%s)', async (why) => {
    const presence = await greeted();
    presence.listener.ended(why);
    const again = await world.presenceIn('lobby', 2);
    again.join({ identity: ada._id, name: 'Ada' });
    again.listener.audible();
    (await world.earsOf(2)).says('Hello again.');
    await playedOut(again);
    await until(async () => ((await world.transcript(ada)).length === 3 ? true : undefined), 'the answer');
    expect(await world.records(ada)).toHaveLength(1);
  });

  it('of two in one room, the same one stays', async () => {
    const presence = await greeted();
    const agent = { name: 'Sigma', isAgent: true, metadata: '{"role":"agent","company":"Northwind Test"}' };
    presence.listener.memberJoined({ identity: 'agent-ffffffff', ...agent });
    expect(presence.hasLeft).toBe(false);
    presence.listener.memberJoined({ identity: 'agent-00000000', ...agent });
    await until(() => presence.hasLeft || undefined, 'the agent to leave');
    expect((await world.records(ada))[0]?.metadata.ended).toBeUndefined();
  });

  it('leave nothing behind after twenty people have come and gone', async () => {
    for (let count = 1; count <= 20; count++) {
      await world.join(ada, 'lobby');
      const presence = await world.presenceIn('lobby', count);
      presence.join({ identity: ada._id, name: 'Ada' });
      presence.listener.audible();
      await finished(presence);
      presence.listener.memberLeft(ada._id, 'left');
      await until(() => presence.hasLeft || undefined, 'the agent to leave');
    }
    expect(await world.openRecords()).toEqual([]);
    expect((await world.records(ada)).every(({ metadata }) => metadata.ended)).toBe(true);
    expect(world.ears.length).toBe(20);
  });
});
