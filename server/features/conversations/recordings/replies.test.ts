import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMp3Encoder } from '#server/engines/encoding/mp3';
import { createFakeParticipants } from '#server/engines/participants/fake';
import { createFakeReading } from '#server/engines/reading/fake';
import { createFakeRecognition } from '#server/engines/recognition/fake';
import { createFakeRooms } from '#server/engines/rooms/fake';
import { createFakeSentiment } from '#server/engines/sentiment/fake';
import { createFakeMediaStore, type FakeMediaStore } from '#server/engines/storage/fake';
import type { SynthesisEngine } from '#server/engines/synthesis/contract';
import { createFakeVoiceActivity } from '#server/engines/voice-activity/fake';
import type { Conversation, Message } from '#shared/conversations';
import type {
  AiResponse,
  AiResponseChunk,
  ConversationStarted,
  InterruptAck,
  StartConversationAck,
} from '#shared/realtime';
import { silentVoice } from '../../../../tests/support/fake-engines.ts';
import { FakeDialogue } from '../../../../tests/support/scripted-engines.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/test-app.ts';

const encoder = createMp3Encoder();
let app: TestApp;
let store: FakeMediaStore;
let address: string;
let token: string;
let userId: string;
let socket: Socket;
let conversationId: string;
beforeAll(async () => {
  store = createFakeMediaStore();
  await encoder.warmUp();
  // Speaks 20 ms a character.
  const synthesis: SynthesisEngine = {
    ...silentVoice(),
    async *synthesize({ text }) {
      yield { text, samples: new Float32Array(text.length * 441), sampleRate: 22_050 };
    },
  };
  const engines = {
    synthesis,
    encoder,
    reading: createFakeReading(),
    models: () => [],
    sentiment: createFakeSentiment(),
    recognition: createFakeRecognition(),
    voiceActivity: createFakeVoiceActivity(),
    rooms: createFakeRooms(),
    participants: createFakeParticipants(),
  };
  app = await openTestApp({ engines: { ...engines, mediaStore: store }, dialogue: new FakeDialogue() });
  address = await app.listen();
  const signedUp = await app.signUp();
  [token, userId] = [signedUp.token, signedUp.user._id];
});
afterAll(async () => {
  await app.close();
  await encoder.close();
});

beforeEach(async () => {
  socket = io(address, { auth: { token, streaming: true }, transports: ['websocket'], forceNew: true });
  const ack = await start();
  if (!ack.ok) throw new Error(ack.error.message);
  conversationId = ack.conversationId;
  return () => void socket.disconnect();
});

const start = (more: object = {}): Promise<StartConversationAck> =>
  socket.emitWithAck('start_conversation', { userId, isCallSimulator: true, ...more });

const next = <T>(event: string) => new Promise<T>((resolve) => socket.once(event, resolve));

async function ask(message: string, more: object = {}): Promise<AiResponse> {
  const reply = next<AiResponse>('ai_response');
  await socket.emitWithAck('user_message', { conversationId, message, isCallSimulator: true, ...more });
  return reply;
}

async function said(): Promise<Message[]> {
  const { messages }: Conversation = (
    await app.as(token, 'GET', `/api/conversations/${conversationId}`)
  ).json();
  return messages;
}

/** A message once it has its recording, which is stored after the reply was sent. */
async function spoken(id: string | undefined): Promise<string> {
  let audioUrl: string | undefined;
  await expect
    .poll(async () => {
      audioUrl = (await said()).find(({ _id }) => _id === id)?.audioUrl;
      return audioUrl;
    })
    .toBeTypeOf('string');
  return audioUrl ?? '';
}

describe('a call', () => {
  it('can be heard again: its welcome and each of its replies, sentence after sentence', async () => {
    const chunks: AiResponseChunk[] = [];
    socket.on('ai_response_chunk', (chunk: AiResponseChunk) => chunks.push(chunk));
    const reply = await ask('When are you open?');
    const response = await fetch(new URL(await spoken(reply.messageId), address));
    expect(response.headers.get('content-type')).toBe('audio/mpeg');
    const sent = chunks.reduce((sum, { audioData = '' }) => sum + Buffer.from(audioData, 'base64').length, 0);
    const kept = (await response.arrayBuffer()).byteLength;
    expect(chunks.length).toBeGreaterThan(1);
    // Each sentence came with its own first frame; the whole needs only one.
    expect(sent - kept).toBeGreaterThan(0);
    expect(sent - kept).toBeLessThan(chunks.length * 300);
    const [welcome, question] = await said();
    expect((await fetch(new URL(await spoken(welcome?._id), address))).status).toBe(200);
    expect(question).not.toHaveProperty('audioUrl');
  });

  it('that nobody wants to hear is not kept as sound', async () => {
    const before = store.files.size;
    const { messageId } = await ask('When are you open?', { voice: false });
    const { messageId: later } = await ask('And on Sunday?');
    await spoken(later);
    expect((await said()).find(({ _id }) => _id === messageId)).not.toHaveProperty('audioUrl');
    expect(store.files.size).toBeLessThanOrEqual(before + 2);
  });

  it('tells whoever joins it again where its messages can be heard', async () => {
    const { messageId } = await ask('When are you open?');
    const audioUrl = await spoken(messageId);
    const started = next<ConversationStarted>('conversation_started');
    await start({ conversationId });
    const { messages = [] } = await started;
    expect(messages.find(({ _id }) => _id === messageId)?.audioUrl).toBe(audioUrl);
  });

  it('tells where a reply that is sent again can be heard', async () => {
    const clientMessageId = `c-${conversationId}`;
    const { messageId } = await ask('When are you open?', { clientMessageId });
    const audioUrl = await spoken(messageId);
    const again = await ask('When are you open?', { clientMessageId });
    expect([again.messageId, again.audioUrl]).toEqual([messageId, audioUrl]);
  });

  it('keeps of an interrupted reply what was heard', async () => {
    const reply = await ask('When are you open?');
    const whole = await spoken(reply.messageId);
    const length = async (url: string) =>
      Number((await fetch(new URL(url, address), { method: 'HEAD' })).headers.get('content-length'));
    const before = await length(whole);
    const interrupt = { conversationId, responseId: reply.responseId, heardMs: 400 };
    const ack: InterruptAck = await socket.emitWithAck('interrupt', interrupt);
    expect(ack.ok && ack.message && ack.message.length < reply.message.length).toBe(true);
    await expect.poll(() => spoken(reply.messageId)).not.toBe(whole);
    expect(await length(await spoken(reply.messageId))).toBeLessThan(before);
    expect((await fetch(new URL(whole, address))).status).toBe(404);
  });

  it('goes on when the store is away', async () => {
    const { put } = store;
    store.put = async () => Promise.reject(new Error('away'));
    const { message } = await ask('When are you open?');
    expect(message).toMatch(/\w/);
    await expect.poll(() => app.logs().some(({ msg }) => msg === 'recording failed')).toBe(true);
    store.put = put;
  });

  it('that is deleted takes its sound with it', async () => {
    const { messageId } = await ask('When are you open?');
    await spoken(messageId);
    await app.as(token, 'DELETE', `/api/conversations/${conversationId}`);
    await expect.poll(() => [...store.files.keys()].some((key) => key.includes(conversationId))).toBe(false);
  });
});
