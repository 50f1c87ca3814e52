import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ParticipantsEngine } from '#server/engines/participants/contract';
import { createLiveKitParticipants } from '#server/engines/participants/livekit';
import { createReading } from '#server/engines/reading/index';
import type { RoomsEngine } from '#server/engines/rooms/contract';
import { createRooms } from '#server/engines/rooms/index';
import { createFakeSentiment } from '#server/engines/sentiment/fake';
import type { SynthesisEngine } from '#server/engines/synthesis/contract';
import { createSynthesis } from '#server/engines/synthesis/index';
import { bundles } from '#server/engines/weights/bundles';
import { createWeights } from '#server/engines/weights/index';
import { isWhole } from '#server/engines/weights/stamp';
import type { SignedIn } from '#shared/accounts';
import type { Conversation } from '#shared/conversations';
import { joinedRoomSchema } from '#shared/rooms';
import { capturedLogger } from '../support/captured-logger.ts';
import { crashNatively } from '../support/crash-natively.ts';
import { engineReady } from '../support/engine-ready.ts';
import { RoomCustomer } from '../support/room-customers.ts';
import { livekitRooms, type RunningRooms, roomServers } from '../support/room-servers.ts';
import { until } from '../support/room-world.ts';
import { openTestApp, type TestApp } from '../support/test-app.ts';
import { runsRest } from '../support/test-part.ts';
import { type Ears, earsAreIn, openEars } from './ears.ts';
import { wordErrors } from './word-errors.ts';

const models = process.env.SIGMA_TEST_MODELS ?? 'models';
const isReal =
  (await isWhole(join(models, bundles.voice.folder), bundles.voice)) && (await earsAreIn(models));
if (!isReal) process.stderr.write(`Live rooms are not spoken in: no whole voice and ears in "${models}".\n`);

describe.skipIf(!isReal).each(roomServers)('a live call on $name', (kind) => {
  const { missing } = kind;
  let ears: Ears;
  let synthesis: SynthesisEngine;
  let closeVoice: () => Promise<void>;
  let closeReading: (() => Promise<void>) | undefined;
  let server: RunningRooms | null = null;
  let dataDir: string;
  let rooms: RoomsEngine;
  let participants: ParticipantsEngine;
  let app: TestApp;
  let url: string;
  let ada: SignedIn;
  let bob: SignedIn;
  let roomName: string;
  const customers: RoomCustomer[] = [];

  beforeAll(async () => {
    if (missing) return;
    dataDir = await mkdtemp(join(tmpdir(), 'sigma-rooms-'));
    // Without a server of its own, the product starts the embedded one itself.
    if (kind === livekitRooms) server = await kind.start();
    const { logger } = capturedLogger();
    rooms = await createRooms(
      {
        dataDir,
        rooms: {
          ...{ livekit: server, keys: null, udpPorts: null, address: null },
          access: 'members',
          stunServers: null,
        },
      },
      { logger, begin: Promise.resolve() },
    );
    participants = createLiveKitParticipants();
    ears = await openEars(models);
    const weights = createWeights({ modelsDir: models });
    synthesis = createSynthesis({ weights });
    closeVoice = async () => {
      await synthesis.close();
      await weights.close();
    };
    const reading = createReading();
    closeReading = () => reading.close();
    await Promise.all([engineReady(synthesis), engineReady(reading)]);
    app = await openTestApp({
      engines: {
        synthesis,
        recognition: ears.recognition,
        voiceActivity: ears.voiceActivity,
        reading,
        models: () => [],
        sentiment: createFakeSentiment(),
        rooms,
        participants,
      },
    });
    url = await app.listen();
    await rooms.ready;
    ada = await app.signUp({ name: 'Ada' });
    bob = await app.signUp({ name: 'Bob' });
  });
  afterAll(async () => {
    await app?.close();
    await participants?.close();
    await rooms?.close();
    await server?.stop();
    await ears?.close();
    await closeVoice?.();
    await closeReading?.();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  });
  beforeEach((context) => {
    if (missing) context.skip(missing);
    roomName = `room / ${Math.random().toString(36).slice(2)}`;
  });
  afterEach(async () => {
    await Promise.all(customers.splice(0).map((customer) => customer.leave()));
  });

  async function comes(who: SignedIn): Promise<RoomCustomer> {
    const response = await fetch(`${url}/api/livekit/join-room`, {
      method: 'POST',
      headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ roomName, participantName: '-', participantIdentity: who.user._id }),
    });
    const { wsUrl, participantToken } = joinedRoomSchema.parse(await response.json());
    const customer = new RoomCustomer(wsUrl, participantToken);
    customers.push(customer);
    await customer.notices('joined');
    return customer;
  }

  /** Waits until the agent has finished speaking and listens. */
  const listens = (customer: RoomCustomer, from: number) =>
    customer.notices('attributes', ({ attributes }) => attributes['lk.agent.state'] === 'listening', {
      from,
    });
  const begins = (customer: RoomCustomer, from: number) =>
    customer.notices('sound', ({ identity, isHeard }) => isHeard && identity.startsWith('agent-'), { from });
  const greeting = async (customer: RoomCustomer) => {
    const began = await begins(customer, 0);
    await listens(customer, customer.events.indexOf(began));
  };
  const recordOf = async (who: SignedIn): Promise<Conversation> => {
    const page = (await app.as(who.token, 'GET', '/api/conversations')).json();
    return page.find((record: Conversation) => record.roomName === roomName);
  };

  it('greets, understands a spoken question and answers it aloud, with captions and a record', async () => {
    const customer = await comes(ada);
    await greeting(customer);
    const from = customer.events.length;
    await customer.say('d-sentence-02');
    await begins(customer, from);
    await listens(customer, customer.events.length);
    const finals = () => customer.all('caption').filter(({ isFinal }) => isFinal);
    const mine = await until(
      async () => finals().find(({ identity }) => identity === ada.user._id),
      'the caption of the question',
    );
    expect(wordErrors('What time do you open on Sunday?', mine.text).errors).toBe(0);
    const { messages, _id } = await recordOf(ada);
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant']);
    expect(messages[2]?.content).toMatch(/sunday/i);
    await until(
      async () =>
        finals().find(({ identity, text }) => identity.startsWith('agent-') && text === messages[2]?.content),
      'the caption of the whole answer',
    );
    expect(customer.all('data')).toContainEqual({
      kind: 'data',
      topic: 'sigma.conversation',
      payload: JSON.stringify({ conversationId: _id }),
    });
    await customer.leave();
    await until(async () => {
      const record = await recordOf(ada);
      return (record.metadata.ended && record.messages.every(({ audioUrl }) => audioUrl)) || undefined;
    }, 'the end of the record, with every voice');
  });

  // Slow; daily, `spoken-call.test.ts` checks the same for calls on the page.
  it.runIf(runsRest)(
    'comes back after native code crashed, hears and answers, in the same record',
    async () => {
      const customer = await comes(ada);
      await greeting(customer);
      const lost = customer.events.length;
      await crashNatively();
      await listens(customer, lost);
      await Promise.all([
        engineReady(ears.recognition),
        engineReady(ears.voiceActivity),
        engineReady(synthesis),
      ]);
      const from = customer.events.length;
      await customer.say('d-sentence-02');
      await begins(customer, from);
      await listens(customer, customer.events.length);
      const { messages } = await recordOf(ada);
      expect(messages.map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant']);
      expect(messages[2]?.content).toMatch(/sunday/i);
    },
  );

  it('falls silent when it is interrupted, and keeps what was heard', async () => {
    const customer = await comes(ada);
    const began = await begins(customer, 0);
    await pause(2_000);
    const from = customer.events.indexOf(began) + 1;
    await customer.say('d-interruption-03');
    await customer.notices('sound', ({ identity, isHeard }) => !isHeard && identity.startsWith('agent-'), {
      from,
    });
    const welcome = await until(
      async () => (await recordOf(ada)).messages.find(({ interrupted }) => interrupted),
      'the cut',
    );
    expect(welcome.content.length).toBeGreaterThan(5);
    expect(welcome.content).not.toContain('What can I do for you?');
  });

  it('lets two people talk and answers who calls it by name', async () => {
    const first = await comes(ada);
    await greeting(first);
    const second = await comes(bob);
    const from = second.events.length;
    await first.say('d-sentence-04');
    await second.notices('caption', ({ identity, isFinal }) => isFinal && identity === ada.user._id, {
      from,
    });
    const words = await until(async () => (await recordOf(bob)).messages[0], 'what Ada said');
    expect(words).toMatchObject({ role: 'user', saidBy: 'Ada' });
    expect((await recordOf(ada)).messages.map(({ role }) => role)).toEqual(['assistant', 'user']);
    await first.leave();
    const after = second.events.length;
    await second.say('d-sentence-09');
    await begins(second, after);
  });
});
