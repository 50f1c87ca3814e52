import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FakePresence } from '#server/engines/participants/fake';
import type { RoomGrant, RoomParticipant } from '#server/engines/rooms/contract';
import { createFakeRooms } from '#server/engines/rooms/fake';
import type { SharedState } from '#server/engines/shared-state/contract';
import { openSharedState } from '#server/engines/shared-state/index';
import { MemoryState } from '#server/engines/shared-state/memory';
import type { Member } from '#server/lib/session';
import { capturedLogger } from '../../../../../tests/support/captured-logger.ts';
import { MortalState } from '../../../../../tests/support/mortal-state.ts';
import { hasRedis, RedisServer } from '../../../../../tests/support/redis-server.ts';
import { openRoomWorld, type RoomWorld, until } from '../../../../../tests/support/room-world.ts';
import { openTestDatabase, type TestDatabase } from '../../../../../tests/support/test-database.ts';
import { toldDutySchema } from './wire.ts';

/**
 * Two instances on one database and one fake LiveKit server: the test decides who is in a room. Silence is short here;
 * leases end when the test says so.
 */

const SHORT = { tellMs: 20, silentMs: 150, claimMs: 10, unansweredMs: 30, returnMs: 60_000 };
const CLAIM = 'agent in room lobby';
const GREETING = 'Hello, this is Sigma of Northwind Test.';

interface Instance {
  state: MortalState;
  world: RoomWorld;
}

let redis: RedisServer | null = null;
let pairs = 0;
let database: TestDatabase;
let rooms: ReturnType<typeof createFakeRooms>;
let here: Instance;
let there: Instance;
let ada: Member;
let bob: Member;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

async function openBoth(limits = {}): Promise<void> {
  rooms = Object.assign(createFakeRooms(), { kind: 'livekit' as const });
  const open = async (shared: SharedState) => {
    const state = new MortalState(shared);
    const world = await openRoomWorld({ ...SHORT, ...limits }, database, { rooms, sharedState: state });
    return { state, world };
  };
  const [first, second] = await twoStates();
  [here, there] = [await open(first), await open(second)];
}

async function twoStates(): Promise<[SharedState, SharedState]> {
  if (!redis) {
    const first = new MemoryState();
    return [first, new MemoryState(first)];
  }
  const around = { installation: `pair ${pairs++}`, logger: capturedLogger().logger };
  const { url: redisUrl } = redis;
  return [await openSharedState({ redisUrl }, around), await openSharedState({ redisUrl }, around)];
}

beforeEach(async () => {
  await database.empty();
  await openBoth();
  ada = await here.world.addUser('Ada');
  bob = await here.world.addUser('Bob');
});
afterEach(async () => {
  for (const { world, state } of [here, there]) {
    await world.close();
    await state.close();
    expect(world.failures).toEqual([]);
  }
});

const agentsSentTo = (roomName: string) =>
  rooms.grants.filter(({ kind, room }) => kind === 'agent' && room === roomName);

const participantOf = ({ identity, metadata = '', name, kind = 'standard' }: RoomGrant): RoomParticipant => ({
  sid: `PA_${identity}`,
  identity,
  name,
  kind,
  metadata,
  joinedAt: new Date(),
  state: 'active',
  permissions: { canPublish: true, canSubscribe: true, canPublishData: true, hidden: false },
  tracks: [],
});

const isConflict = ({ status }: { status?: number }) => (status === 409 ? true : undefined);
const grantOf = (token: string): RoomGrant => JSON.parse(token);
const peopleIn = (roomName: string) => (rooms.people.get(roomName) ?? []).map(({ identity }) => identity);
const into = (roomName: string, grant: RoomGrant) =>
  rooms.people.set(roomName, [
    ...(rooms.people.get(roomName) ?? []).filter(({ identity }) => identity !== grant.identity),
    participantOf(grant),
  ]);

/** The one agent of a room, once it is there, and its instance. */
async function agentIn(roomName: string, of: Instance[] = [here, there], count = 1) {
  return until(() => {
    for (const instance of of) {
      const present = instance.world.participants.presences.filter(
        ({ token, hasLeft }) => !hasLeft && grantOf(token).room === roomName,
      );
      const presence = present.at(-1);
      if (presence && present.length >= count) {
        into(roomName, grantOf(presence.token));
        return { holder: instance, other: instance === here ? there : here, presence };
      }
    }
    return undefined;
  }, `an agent in ${roomName}`);
}

/** Requests admission at an instance. @returns the permissions of the token */
async function ask(
  { world }: Instance,
  user: Member,
  roomName = 'lobby',
  session = `session of ${user._id}`,
) {
  return grantOf((await world.join(user, roomName, undefined, session)).participantToken);
}

/** A person enters the agent's room. */
function come(presence: FakePresence, grant: RoomGrant): void {
  into(grant.room, grant);
  presence.join({ identity: grant.identity, name: grant.name, metadata: grant.metadata ?? '' });
}

async function greeted(by: Instance) {
  const grant = await ask(by, ada);
  const { holder, other, presence } = await agentIn('lobby');
  come(presence, grant);
  presence.listener.audible();
  const speechId = await until(() => [...presence.speeches.keys()][0], 'the greeting');
  presence.listener.speechBegan(speechId);
  presence.listener.speechEnded({ speechId, playedMs: 2_000 });
  await until(
    async () => ((await holder.world.transcript(ada)).length === 1 ? true : undefined),
    'its record',
  );
  return { holder, other, presence, grant };
}

let probes = 0;
/** Waits until each has the other's messages. */
async function allIsHeard(): Promise<void> {
  const heard = ([from, to]: [Instance, Instance]) =>
    new Promise<void>((resolve) => {
      const topic = `probe ${probes++}`;
      to.state.hear(topic, z.null(), () => resolve());
      from.state.tell(topic, null);
    });
  await Promise.all([heard([here, there]), heard([there, here])]);
}

/** Waits until another instance knows of the arrival: for an expected person it would send an agent itself. */
function isKnownToBeIn({ state }: Instance, { _id }: Member): Promise<void> {
  return new Promise((resolve) => {
    state.hear('agents in rooms', toldDutySchema, ({ rooms }) => {
      if (rooms.some(({ people, expected }) => people.includes(_id) && !expected.includes(_id))) resolve();
    });
  });
}

/** Waits until both instances have checked wanted rooms many times. */
async function bothHaveLooked(): Promise<void> {
  for (const [n, { world }] of [here, there].entries()) {
    const somebody = await world.addUser('Somebody');
    await world.join(somebody, `looked ${n}`);
    await agentIn(`looked ${n}`);
  }
}

describe.each([
  { kind: 'memory', isThere: true },
  { kind: 'Redis', isThere: hasRedis },
])('by $kind,', ({ kind, isThere }) => {
  if (!isThere) return it.skip('where there is no Redis server');
  beforeAll(async () => {
    if (kind === 'Redis') redis = await RedisServer.start();
  });
  afterAll(async () => {
    await redis?.kill();
    redis = null;
  });

  describe('two instances on one LiveKit server', () => {
    it('send one agent to a room, however many of them are asked', async () => {
      await Promise.all([ask(here, ada), ask(there, bob)]);
      const { holder, other, presence } = await agentIn('lobby');
      await ask(other, await here.world.addUser('Cyd'));
      await bothHaveLooked();
      expect(agentsSentTo('lobby')).toHaveLength(1);
      expect(presence.hasLeft).toBe(false);
      expect(holder.world.service.seats.taken + other.world.service.seats.taken).toBe(3);
    });

    it('send no agent to a room whose claim another one has, told of or not', async () => {
      const claim = await here.state.take(CLAIM, 1);
      await ask(there, ada);
      await ask(there, bob, 'another room');
      await agentIn('another room');
      expect(agentsSentTo('lobby')).toEqual([]);
      claim?.release();
      await agentIn('lobby', [there]);
    });

    it('stay in a room whose claim they have, whoever of them is still in it', async () => {
      const { holder, presence } = await greeted(here);
      presence.listener.memberJoined({
        identity: 'agent-0',
        name: 'Sigma',
        metadata: '{"role":"agent","company":"Northwind"}',
        isAgent: true,
      });
      expect(holder.world.service.seats).toMatchObject({ taken: 1, people: 1 });
    });

    it('tell the one that has a room whom they let in', async () => {
      await ask(here, ada);
      const { other } = await agentIn('lobby');
      const isTold = new Promise<void>((resolve) => {
        other.state.hear('agents in rooms', toldDutySchema, ({ rooms }) => {
          if (rooms.some(({ expected }) => expected.includes(bob._id))) resolve();
        });
      });
      await ask(other, bob);
      await isTold;
      expect(agentsSentTo('lobby')).toHaveLength(1);
    });

    it('go on for one that has died: in the same record, without another greeting, and its agent is put out', async () => {
      const { holder, other, presence, grant } = await greeted(here);
      const [record] = await holder.world.records(ada);
      // The removal has reached it.
      await until(async () => (await other.world.join(bob, 'lobby')) && true, 'the other');
      holder.state.die();
      const ghost = grantOf(presence.token).identity;
      other.state.asked.length = 0;
      await until(() => (other.state.asked.includes(CLAIM) ? true : undefined), 'a look at the claim');
      await other.world.join(await other.world.addUser('Cyd'), 'another room');
      await agentIn('another room', [other]);
      expect(agentsSentTo('lobby')).toHaveLength(1);
      holder.state.expire();
      const { presence: next } = await agentIn('lobby', [other]);
      expect(peopleIn('lobby')).not.toContain(ghost);
      come(next, grant);
      next.listener.audible();
      const ears = await until(() => other.world.ears.at(-1), 'ears');
      ears.says('When do you open?');
      await until(async () => {
        const lines = await other.world.transcript(ada);
        return lines.length === 3 ? lines : undefined;
      }, 'the answer');
      expect(await other.world.transcript(ada)).toEqual([
        `Sigma: ${GREETING}`,
        'me: When do you open?',
        'Sigma: You said: When do you open? Anything else?',
      ]);
      expect((await other.world.records(ada)).map(({ _id }) => _id)).toEqual([record?._id]);
      expect(agentsSentTo('lobby')).toHaveLength(2);
    });

    it('hand their rooms over when they stop', async () => {
      const { holder, other, presence, grant } = await greeted(there);
      const stopping = holder.world.service.close();
      const { presence: next } = await agentIn('lobby', [other]);
      expect(presence.hasLeft).toBe(true);
      await stopping;
      come(next, grant);
      next.listener.audible();
      const ears = await until(() => other.world.ears.at(-1), 'ears');
      ears.says('When do you open?');
      await until(
        async () => ((await other.world.transcript(ada)).length === 3 ? true : undefined),
        'the answer',
      );
      expect(await other.world.records(ada)).toHaveLength(1);
    });

    it('send nobody to a room that everybody has left', async () => {
      const { holder, other, presence, grant } = await greeted(there);
      presence.listener.memberLeft(grant.identity, 'left');
      await until(() => (presence.hasLeft ? true : undefined), 'the agent to leave');
      rooms.people.set('lobby', []);
      await holder.world.service.close();
      await other.world.join(bob, 'another room');
      await agentIn('another room', [other]);
      expect(agentsSentTo('lobby')).toHaveLength(1);
    });

    it('send nobody for one that has died where everybody has left since', async () => {
      const { holder, other } = await greeted(here);
      const looked: string[] = [];
      const list = rooms.listParticipants.bind(rooms);
      rooms.listParticipants = (roomName) => {
        looked.push(roomName);
        return list(roomName);
      };
      await isKnownToBeIn(other, ada);
      rooms.people.set('lobby', []);
      holder.state.die();
      holder.state.expire();
      await until(() => (looked.includes('lobby') ? true : undefined), 'a look at the room');
      await other.world.join(bob, 'another room');
      await agentIn('another room', [other]);
      expect(agentsSentTo('lobby')).toHaveLength(1);
    });

    it('do not take each other for dead while they cannot hear each other', async () => {
      const { other, holder } = await greeted(here);
      for (const { state } of [here, there]) state.isAway = true;
      // A request there meanwhile finds the agent in the room.
      holder.state.expire();
      await ask(other, bob);
      await other.world.join(await other.world.addUser('Cyd'), 'another room');
      await agentIn('another room', [other]);
      // The holder continues with its own knowledge, and is the first to get its claim again.
      await until(async () => (await holder.state.take(CLAIM, 1)) ?? undefined, 'the claim');
      for (const { state } of [here, there]) state.isAway = false;
      await bothHaveLooked();
      expect(agentsSentTo('lobby')).toHaveLength(1);
      expect(peopleIn('lobby').filter((identity) => identity.startsWith('agent-'))).toHaveLength(1);
    });
  });

  describe('a session that ends at one of two instances', () => {
    const ends = (sessionId: string, user: Member) => {
      for (const { world } of [here, there]) {
        world.endedSessions.add(sessionId);
        world.service.sessionEnded({ sessionId, userId: user._id });
      }
    };

    it('puts out whoever came through it, wherever the agent is, and nobody else', async () => {
      const { holder, other, presence } = await greeted(here);
      // Through the other instance, in another session: the earlier tab is replaced.
      const again = await ask(other, ada, 'lobby', 'laptop');
      presence.listener.memberLeft(ada._id, 'replaced');
      come(presence, again);
      come(presence, await ask(other, bob));
      const inOther = await ask(holder, ada, 'kitchen', 'phone');
      const kitchen = await agentIn('kitchen');
      come(kitchen.presence, inOther);
      ends('phone', ada);
      await until(() => (peopleIn('kitchen').includes(ada._id) ? undefined : true), 'Ada to be put out');
      expect(peopleIn('lobby')).toEqual(expect.arrayContaining([ada._id, bob._id]));
      ends('laptop', ada);
      await until(() => (peopleIn('lobby').includes(ada._id) ? undefined : true), 'Ada to be put out');
      expect(peopleIn('lobby')).toContain(bob._id);
    });

    it('opens no door again with the key from before, and every door with a new one', async () => {
      const { presence, other, grant } = await greeted(here);
      come(presence, await ask(other, bob));
      ends(`session of ${ada._id}`, ada);
      for (const time of ['at once', 'again']) {
        await until(() => (peopleIn('lobby').includes(ada._id) ? undefined : true), `Ada to be out ${time}`);
        presence.listener.memberLeft(ada._id, 'left');
        come(presence, grant);
      }
      await until(() => (peopleIn('lobby').includes(ada._id) ? undefined : true), 'Ada to be out');
      presence.listener.memberLeft(ada._id, 'left');
      come(presence, await ask(other, ada, 'lobby', 'a new session'));
      await there.world.service.recheckPeople();
      await here.world.service.recheckPeople();
      expect(peopleIn('lobby')).toEqual(expect.arrayContaining([ada._id, bob._id]));
    });

    it('is found by whoever has the room when it was not heard of', async () => {
      const { holder } = await greeted(here);
      for (const { world } of [here, there]) world.endedSessions.add(`session of ${ada._id}`);
      await holder.world.service.recheckPeople();
      expect(peopleIn('lobby')).not.toContain(ada._id);
    });
  });

  it('lets nobody stay who comes with a key from before its room was locked at the other instance', async () => {
    const { holder, other, presence, grant } = await greeted(here);
    const [bobs, eves] = [await ask(other, bob), await ask(holder, await holder.world.addUser('Eve'))];
    come(presence, bobs);
    await other.world.service.doors.change(ada._id, 'lobby', { locked: true });
    come(presence, eves);
    await until(() => (peopleIn('lobby').includes(eves.identity) ? undefined : true), 'Eve to be put out');
    presence.listener.memberLeft(eves.identity, 'left');
    // Unseen by the agent, and not reported by a webhook.
    into('lobby', eves);
    for (const back of [grant, bobs]) {
      presence.listener.memberLeft(back.identity, 'lost');
      come(presence, back);
    }
    await holder.world.service.recheckPeople();
    expect(peopleIn('lobby')).toEqual(expect.arrayContaining([ada._id, bob._id]));
    expect(peopleIn('lobby')).not.toContain(eves.identity);
  });

  describe('what is counted over two instances', () => {
    it('the rooms of an account', async () => {
      await openAgain({ maxRoomsPerUser: 2 });
      for (const [instance, roomName] of [
        [here, 'one'],
        [there, 'two'],
      ] as const) {
        const grant = await ask(instance, ada, roomName);
        come((await agentIn(roomName)).presence, grant);
      }
      for (const instance of [here, there])
        await until(() => ask(instance, ada, 'three').then(() => undefined, isConflict), 'a refusal');
      await expect(ask(here, ada, 'two')).resolves.toMatchObject({ room: 'two' });
    });

    it('and rooms that one only asked for give way, wherever their agent is', async () => {
      await openAgain({ maxRoomsPerUser: 2, maxAgents: 2, keptAgents: 1 });
      await ask(here, ada, 'one');
      await ask(here, ada, 'two');
      for (const roomName of ['one', 'two']) await agentIn(roomName);
      await allIsHeard();
      for (const roomName of ['three', 'four', 'five']) {
        await ask(there, ada, roomName);
        await agentIn(roomName);
        await allIsHeard();
      }
      const present = () =>
        [here, there].flatMap(({ world }) =>
          world.participants.presences.flatMap(({ token, hasLeft }) =>
            hasLeft ? [] : [grantOf(token).room],
          ),
        );
      await expect.poll(() => present().sort()).toEqual(['five', 'four']);
    });

    it('agents: one that has none left leaves a room to another', async () => {
      await openAgain({ maxAgents: 1, keptAgents: 0 });
      await ask(here, ada, 'one');
      const { holder, other } = await agentIn('one', [here]);
      await ask(holder, bob, 'two');
      await agentIn('two', [other]);
      await allIsHeard();
      const cyd = await here.world.addUser('Cyd');
      for (const instance of [here, there])
        await expect(ask(instance, cyd, 'three')).rejects.toMatchObject({
          message: 'All agents are in calls at the moment. Please try again in a few minutes.',
        });
      // A room that has its agent is open on both.
      for (const roomName of ['one', 'two'])
        for (const instance of [here, there])
          await expect(ask(instance, cyd, roomName)).resolves.toMatchObject({ room: roomName });
    });

    it('the agent that was chosen before anybody came, once', async () => {
      const mia = await here.world.addAgent(ada, 'Mia');
      const origin = { sessionId: 'x', host: 'care.example.com', secure: true };
      const request = { roomName: 'with-mia', participantName: 'Ada', participantIdentity: ada._id };
      await here.world.service.create(ada, { ...request, agentId: mia }, origin);
      await allIsHeard();
      await ask(there, bob, 'with-mia');
      await agentIn('with-mia');
      expect(agentsSentTo('with-mia')).toMatchObject([{ name: 'Mia' }]);
    });

    it('that the agent may stay, once the owner of a room says so at the other', async () => {
      const mia = await here.world.addAgent(ada, 'Mia');
      await here.world.join(ada, 'lobby', mia);
      const { holder, other, presence } = await agentIn('lobby');
      come(presence, await ask(holder, bob));
      await until(() => presence.attributes['sigma.notice'], 'that it only listens');
      await other.world.service.doors.change(ada._id, 'lobby', { agentStays: true });
      await until(() => (presence.attributes['sigma.notice'] === '' ? true : undefined), 'that it answers');
    });
  });
});

it('an instance that is alone on a LiveKit server needs no claim', async () => {
  const alone = await openRoomWorld(SHORT, database, { rooms, sharedState: new MemoryState() });
  await alone.join(ada, 'lobby');
  await alone.presenceIn('lobby');
  await alone.close();
});

async function openAgain(limits: object): Promise<void> {
  for (const { world, state } of [here, there]) {
    await world.close();
    await state.close();
  }
  await openBoth(limits);
}
