import { eq } from 'drizzle-orm';
import { io, type Socket } from 'socket.io-client';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { agents, conversations, messages, users } from '#server/database/schema';
import { callsFeature } from '#server/features/channels/page/socket';
import { SpeechService } from '#server/features/channels/page/speech/service';
import { CallsService } from '#server/features/turns/service';
import type { SignedIn } from '#shared/accounts';
import type { ClientToServerEvents } from '#shared/realtime';
import { aConversation, aMessage, anAgent } from '../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../tests/support/test-app.ts';

/* The twin of every-route.test.ts for the real-time channel: no account sees or changes another's data. */

/** Part of all of Ada's data. */
const SECRET = 'xyzzy';

/** Events about the sender's own microphone and loudspeaker: accepted without effect if there is none. */
const OF_THEIR_OWN: readonly (keyof ClientToServerEvents)[] = ['speech_end', 'playback'];

let app: TestApp;
let url: string;
let owner: SignedIn;
let supervisor: SignedIn;
let ada: SignedIn;
let other: SignedIn;
/** Every event, with payloads that change Ada's data if she sends them. */
let hostile: Record<keyof ClientToServerEvents, object[]>;
const sockets: Socket[] = [];

beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
  // The first account owns the installation.
  owner = await app.signUp();
  ada = await app.signUp({ name: `Ada ${SECRET}` });
  other = await app.signUp();
  supervisor = await app.signUp();
  await app.database.db.update(users).set({ role: 'supervisor' }).where(eq(users.id, supervisor.user._id));
  const userId = ada.user._id;
  const agent = anAgent(userId, { name: SECRET, companyInfo: `${SECRET} opens at nine.` });
  const conversation = aConversation(userId, { title: SECRET, agentId: agent.id });
  const question = aMessage(conversation.id, { content: `${SECRET}?` });
  const reply = aMessage(conversation.id, {
    role: 'assistant',
    content: SECRET,
    replyTo: question.id,
    responseId: uuidv7(),
  });
  await app.database.db.insert(agents).values(agent);
  await app.database.db.insert(conversations).values(conversation);
  await app.database.db.insert(messages).values([question, reply]);
  const conversationId = conversation.id;
  hostile = {
    start_conversation: [
      { userId, conversationId },
      { userId, agentId: agent.id, isCallSimulator: false },
    ],
    user_message: [
      { userId, conversationId, message: 'Hello?' },
      { conversationId, message: 'Hello?', clientMessageId: question.id },
    ],
    interrupt: [{ conversationId, responseId: reply.responseId, heardMs: 0 }],
    speech_start: [
      { conversationId, sampleRate: 16_000 },
      { conversationId, sampleRate: 16_000, mode: 'hands-free' },
    ],
    speech_audio: [{ index: 0, audio: new ArrayBuffer(320) }],
    speech_end: [{ conversationId }],
    playback: [{ conversationId, responseId: reply.responseId }],
  };
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect();
});
afterAll(() => app.close());

/** A client on the channel, and all events it receives. */
async function connect(auth: object): Promise<{ socket: Socket; told: unknown[] }> {
  const socket = io(url, { auth, transports: ['websocket'], forceNew: true, reconnection: false });
  sockets.push(socket);
  const told: unknown[] = [];
  socket.onAny((...event) => told.push(event));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return { socket, told };
}

const everything = () =>
  Object.entries(hostile).flatMap(([event, payloads]) =>
    payloads.map((payload) => [event, payload] as const),
  );

const adasConversations = async () => (await app.as(ada.token, 'GET', '/api/conversations')).json();

it.each([
  ['an owner', () => owner],
  ['a supervisor', () => supervisor],
  ['another account', () => other],
])('%s sees and changes nothing of hers, by any event', async (_who, who) => {
  const before = await adasConversations();
  expect(JSON.stringify(before)).toContain(SECRET);
  const hers = await connect({ token: ada.token });
  const { socket, told } = await connect({ token: who().token });
  for (const [event, payload] of everything()) {
    const answers: unknown[] = [await socket.emitWithAck(event, payload)];
    // The same payload with the sender's own id, for events that name a user.
    if ('userId' in payload)
      answers.push(await socket.emitWithAck(event, { ...payload, userId: who().user._id }));
    if (!OF_THEIR_OWN.some((each) => each === event))
      for (const answer of answers) expect(answer, event).toMatchObject({ ok: false });
    for (const answer of answers) expect(answer, event).not.toMatchObject({ error: { code: 'internal' } });
    told.push(answers);
  }
  expect(JSON.stringify(told)).not.toContain(SECRET);
  expect(hers.told).toEqual([]);
  expect(await adasConversations()).toEqual(before);
});

it('lets a member of her workspace call her agents, and nothing else of hers', async () => {
  const colleague = await app.join(ada, 'member');
  const before = await adasConversations();
  const { socket, told } = await connect({ token: colleague.token });
  for (const [event, payload] of everything()) {
    const asked = 'userId' in payload ? { ...payload, userId: colleague.user._id } : payload;
    const isCall = event === 'start_conversation' && !('conversationId' in payload);
    const isOwn = OF_THEIR_OWN.some((each) => each === event);
    const answer = await socket.emitWithAck(event, asked);
    if (!isOwn) expect([event, answer]).toEqual([event, expect.objectContaining({ ok: isCall })]);
    if (!isCall) told.push(answer);
  }
  expect(JSON.stringify(told)).not.toContain(`${SECRET}?`);
  expect(await adasConversations()).toEqual(before);
});

it('walks every event that the channel takes', () => {
  const { events } = callsFeature(
    Object.create(CallsService.prototype),
    Object.create(SpeechService.prototype),
  );
  expect(Object.keys(hostile).sort()).toEqual(Object.keys(events).sort());
});

it('answers texts that cannot be stored, and nesting without end, as any bad input', async () => {
  const { socket, told } = await connect({ token: other.token });
  const spoilt = (payload: object, text: string) =>
    Object.fromEntries(
      Object.entries(payload).map(([name, value]) => [name, typeof value === 'string' ? text : value]),
    );
  let nested: unknown = 'x';
  for (let n = 0; n < 1_000; n++) nested = [nested];
  for (const [event, payload] of everything())
    for (const each of [spoilt(payload, '\ud83d'), spoilt(payload, 'a\0b'), { ...payload, nested }]) {
      const answer = await socket.emitWithAck(event, each);
      expect(answer, event).not.toMatchObject({ error: { code: 'internal' } });
      if ('nested' in each) expect(answer, event).toMatchObject({ error: { code: 'invalid-input' } });
    }
  expect(JSON.stringify(told)).not.toContain('internal');
  expect(socket.connected).toBe(true);
});

it.each([{}, { token: '' }, { token: 'x'.repeat(43) }, { token: null }])(
  'nobody (%j) is let in at all',
  async (auth) => {
    await expect(connect(auth)).rejects.toThrow();
  },
);

// Runs last, since it does what others must not.
it('answers her each of them', async () => {
  const { socket } = await connect({ token: ada.token });
  for (const [event, payload] of everything())
    expect([event, await socket.emitWithAck(event, payload)]).toEqual([
      event,
      expect.objectContaining({ ok: true }),
    ]);
});
