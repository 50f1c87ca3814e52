import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openRealtime, type RealtimeListener } from './socket.ts';

/** Replaces socket.io's client. */
const fake = vi.hoisted(() => {
  const handlers = new Map<string, (...args: unknown[]) => void>();
  const socket = {
    connected: false,
    active: true,
    connects: 0,
    closed: false,
    emitted: [] as unknown[],
    timeoutMs: 0,
    on: (event: string, handler: (...args: unknown[]) => void) => void handlers.set(event, handler),
    removeAllListeners: () => handlers.clear(),
    connect: () => {
      socket.connects += 1;
    },
    close: () => {
      socket.closed = true;
    },
    emit: (...args: unknown[]) => void socket.emitted.push(args),
    timeout: (ms: number) => {
      socket.timeoutMs = ms;
      return {
        emitWithAck: async (...args: unknown[]) => {
          socket.emitted.push(args);
          return { ok: true };
        },
      };
    },
  };
  const opened: { url: string; options: object }[] = [];
  return {
    handlers,
    socket,
    opened,
    fire: (event: string, ...args: unknown[]) => handlers.get(event)?.(...args),
  };
});
vi.mock('socket.io-client', () => ({
  io: (url: string, options: object) => {
    fake.opened.push({ url, options });
    return fake.socket;
  },
}));

let told: string[];
const listener = (): RealtimeListener => ({
  connected: () => told.push('connected'),
  lost: () => told.push('lost'),
  signedOut: () => told.push('signed out'),
  started: () => told.push('started'),
  chunk: () => told.push('chunk'),
  response: () => told.push('response'),
  typing: (isTyping) => told.push(`typing ${isTyping}`),
  error: () => told.push('error'),
  askedToStart: () => told.push('asked to start'),
  messageStored: () => told.push('message stored'),
  conversationUpdated: () => told.push('conversation updated'),
  transcript: () => told.push('transcript'),
  speechActivity: () => told.push('speech activity'),
  bargeIn: () => told.push('barge in'),
  speechEnded: () => told.push('speech ended'),
});

beforeEach(() => {
  told = [];
  Object.assign(fake.socket, { connected: false, active: true, connects: 0, closed: false, emitted: [] });
  fake.opened.length = 0;
  fake.handlers.clear();
  vi.useFakeTimers();
});

it('shows its token, asks for replies sentence by sentence, and reconnects as specified', () => {
  openRealtime('token-1', listener());
  expect(fake.opened).toEqual([
    {
      url: window.location.origin,
      options: expect.objectContaining({
        auth: { token: 'token-1', streaming: true },
        reconnectionDelay: 1_000,
        reconnectionDelayMax: 5_000,
        randomizationFactor: 0.5,
        timeout: 20_000,
      }),
    },
  ]);
});

it('passes on what the server tells', () => {
  openRealtime('token-1', listener());
  fake.fire('connect');
  fake.fire('conversation_started', {});
  fake.fire('typing', true);
  fake.fire('ai_response_chunk', {});
  fake.fire('ai_response', {});
  fake.fire('typing', false);
  fake.fire('error', {});
  fake.fire('start_conversation', {});
  fake.fire('message_stored', {});
  fake.fire('conversation_updated', {});
  fake.fire('transcript', {});
  fake.fire('speech_activity', {});
  fake.fire('barge_in', {});
  fake.fire('speech_ended', {});
  expect(told).toEqual([
    'connected',
    'started',
    'typing true',
    'chunk',
    'response',
    'typing false',
    'error',
    'asked to start',
    'message stored',
    'conversation updated',
    'transcript',
    'speech activity',
    'barge in',
    'speech ended',
  ]);
});

it('says something only while it is connected, so that nothing goes out twice', async () => {
  const realtime = openRealtime('token-1', listener());
  const message = { conversationId: 'call-1', message: 'Hi' };
  await expect(realtime.say(message)).rejects.toThrow('not connected');
  fake.socket.connected = true;
  await expect(realtime.say(message)).resolves.toEqual({ ok: true });
  expect(fake.socket.emitted).toEqual([['user_message', message]]);
  expect(fake.socket.timeoutMs).toBe(10_000);
});

it('sends sound by its number, and waits longer for what was understood', async () => {
  const realtime = openRealtime('token-1', listener());
  const audio = new ArrayBuffer(4);
  await expect(realtime.speechAudio(7, audio)).rejects.toThrow('not connected');
  fake.socket.connected = true;
  await realtime.speechStart({ conversationId: 'call-1', sampleRate: 16_000 });
  await realtime.speechAudio(7, audio);
  expect(fake.socket.timeoutMs).toBe(10_000);
  await realtime.speechEnd({ conversationId: 'call-1' });
  expect(fake.socket.timeoutMs).toBe(120_000);
  expect(fake.socket.emitted).toEqual([
    ['speech_start', { conversationId: 'call-1', sampleRate: 16_000 }],
    ['speech_audio', { index: 7, audio }],
    ['speech_end', { conversationId: 'call-1' }],
  ]);
});

it('tells what the loudspeaker does while somebody is there to be told', () => {
  const realtime = openRealtime('token-1', listener());
  const playback = { conversationId: 'call-1', responseId: 'reply-1' };
  realtime.playback(playback);
  fake.socket.connected = true;
  realtime.playback(playback);
  expect(fake.socket.emitted).toEqual([['playback', playback]]);
});

describe('a channel that is gone', () => {
  it('comes back by itself, also where socket.io would leave it closed', () => {
    openRealtime('token-1', listener());
    fake.fire('disconnect', 'transport close');
    vi.advanceTimersByTime(10_000);
    expect(fake.socket.connects).toBe(0);
    fake.fire('disconnect', 'io server disconnect');
    vi.advanceTimersByTime(10_000);
    expect(fake.socket.connects).toBe(1);
    fake.socket.active = false;
    fake.fire('connect_error', new Error('Sigma is restarting.'));
    vi.advanceTimersByTime(10_000);
    expect(fake.socket.connects).toBe(2);
    expect(told).toEqual(['lost', 'lost', 'lost']);
  });

  it('stays closed when the server does not know the token', () => {
    openRealtime('token-1', listener());
    fake.fire(
      'connect_error',
      Object.assign(new Error('Please sign in.'), { data: { code: 'unauthenticated' } }),
    );
    vi.advanceTimersByTime(60_000);
    expect(told).toEqual(['signed out']);
    expect(fake.socket).toMatchObject({ closed: true, connects: 0 });
  });

  it('stays closed when its owner has closed it', () => {
    const realtime = openRealtime('token-1', listener());
    fake.fire('disconnect', 'io server disconnect');
    realtime.close();
    vi.advanceTimersByTime(60_000);
    expect(fake.socket).toMatchObject({ closed: true, connects: 0 });
    expect(told).toEqual(['lost']);
  });
});
