import { beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  AiResponse,
  AiResponseChunk,
  Interrupt,
  InterruptAck,
  Playback,
  SpeechAck,
  SpeechEnd,
  SpeechStart,
  StartConversation,
  StartConversationAck,
  UserMessage,
  UserMessageAck,
} from '#shared/realtime';
import { AudioPlayer } from '#web/lib/loudspeaker/audio-player';
import { clip, FakeSoundContext, settle } from '#web/lib/loudspeaker/fake-sound-context';
import type { Realtime, RealtimeListener } from '#web/lib/server/socket';
import { leaveTab, ownTab } from '#web/lib/tab-owner';
import { CallClient, type CallOptions } from './call-client.ts';
import { FakeMicrophone } from './speech/fake-microphone.ts';

const at = '2026-11-20T12:00:00.000Z';
const user = { _id: 'user-ada', name: 'Ada', email: 'ada@example.com' };
const demoAgent = { name: 'Sigma', company: 'Northwind' };
const audio = (seconds: number) => btoa(String.fromCharCode(...clip(seconds)));

/** The channel, whose server the test plays. */
class FakeRealtime implements Realtime {
  readonly starts: StartConversation[] = [];
  readonly messages: UserMessage[] = [];
  readonly interrupts: Interrupt[] = [];
  /** The speech events, in order. */
  readonly speech: object[] = [];
  /** The replies reported to the server as playing. */
  readonly playbacks: (string | null)[] = [];
  speechStartAck: SpeechAck = { ok: true };
  speechEndAck: SpeechAck = { ok: true, text: '' };
  isClosed = false;
  startAck: () => Promise<StartConversationAck> = async () => ({ ok: true, conversationId: 'call-1' });
  sayAck: () => Promise<UserMessageAck> = async () => ({ ok: true, messageId: 'stored-1' });
  interruptAck: InterruptAck = { ok: true };

  start(payload: StartConversation) {
    this.starts.push(payload);
    return this.startAck();
  }
  say(payload: UserMessage) {
    this.messages.push(payload);
    return this.sayAck();
  }
  async interrupt(payload: Interrupt) {
    this.interrupts.push(payload);
    return this.interruptAck;
  }
  async speechStart(payload: SpeechStart): Promise<SpeechAck> {
    this.speech.push({ start: payload });
    return this.speechStartAck;
  }
  async speechAudio(index: number, audio: ArrayBuffer): Promise<SpeechAck> {
    this.speech.push({ index, samples: audio.byteLength / 2 });
    return { ok: true };
  }
  async speechEnd(payload: SpeechEnd): Promise<SpeechAck> {
    this.speech.push({ end: payload });
    return this.speechEndAck;
  }
  playback({ responseId }: Playback) {
    this.playbacks.push(responseId);
  }
  close() {
    this.isClosed = true;
  }
}

let realtime: FakeRealtime;
let server: RealtimeListener;
let sound: FakeSoundContext;
let signedOut: number;
let microphone: FakeMicrophone;
let uploads: { transcript: string; seconds: number }[];

function openCall(options: Partial<CallOptions> = {}): CallClient {
  return new CallClient({
    user,
    target: { kind: 'simulator' },
    conversationId: null,
    voice: true,
    settings: () => ({ recognition: 'server', ears: 'ready', earsMessage: null, keepRecordings: true }),
    upload: async (_conversationId, recording, transcript) => {
      uploads.push({ transcript, seconds: (recording.size - 44) / 2 / 16_000 });
    },
    microphone: microphone.asOptions(),
    onUpdated: () => {},
    onSignedOut: () => {
      signedOut += 1;
    },
    connect: (listener) => {
      server = listener;
      return realtime;
    },
    createPlayer: (listener) => new AudioPlayer(listener, { createContext: () => sound }),
    ...options,
  });
}

/** A call whose conversation has started, with a silent welcome. */
async function startedCall(options: Partial<CallOptions> = {}): Promise<CallClient> {
  const call = openCall(options);
  server.connected();
  await settle();
  welcome();
  return call;
}

const welcome = (spoken: object = {}) =>
  server.started({
    conversationId: 'call-1',
    demoAgent,
    welcomeMessage: {
      _id: 'welcome',
      role: 'assistant',
      author: { kind: 'agent' },
      content: 'Hello!',
      timestamp: at,
      ...spoken,
    },
  });
const chunk = (index: number, event: Partial<AiResponseChunk> = {}) =>
  server.chunk({
    conversationId: 'call-1',
    responseId: 'reply-1',
    author: { kind: 'agent' },
    index,
    text: `Sentence ${index}.`,
    audioData: audio(2),
    audioType: 'audio/mpeg',
    isLast: false,
    ...event,
  });
const response = (event: Partial<AiResponse> = {}) =>
  server.response({
    conversationId: 'call-1',
    responseId: 'reply-1',
    messageId: 'message-1',
    author: { kind: 'agent' },
    replyTo: 'stored-1',
    message: 'Sentence 0. Sentence 1.',
    demoAgent,
    timestamp: at,
    ...event,
  });

beforeEach(() => {
  realtime = new FakeRealtime();
  sound = new FakeSoundContext();
  signedOut = 0;
  microphone = new FakeMicrophone();
  uploads = [];
  vi.spyOn(console, 'warn').mockReturnValue();
});

describe('starting', () => {
  it('starts a call with the demo agent', async () => {
    await startedCall();
    expect(realtime.starts).toEqual([{ userId: 'user-ada', isCallSimulator: true }]);
  });

  it('starts a call with an agent of the user', async () => {
    const agentInfo = { name: 'Otto' };
    await startedCall({ target: { kind: 'agent', agentId: 'agent-1', agentInfo } });
    expect(realtime.starts).toEqual([
      { userId: 'user-ada', isCallSimulator: false, agentId: 'agent-1', agentInfo },
    ]);
  });

  it('goes on with the same conversation after a reconnect, and when the server asks', async () => {
    await startedCall();
    server.lost();
    server.connected();
    await settle();
    server.askedToStart();
    await settle();
    expect(realtime.starts.slice(1)).toEqual([
      { userId: 'user-ada', isCallSimulator: true, conversationId: 'call-1' },
      { userId: 'user-ada', isCallSimulator: true, conversationId: 'call-1' },
    ]);
  });

  it('starts once when the server asks while it is starting', async () => {
    realtime.startAck = () => new Promise(() => {});
    openCall();
    server.connected();
    server.askedToStart();
    await settle();
    expect(realtime.starts).toHaveLength(1);
  });

  it('starts a new call when the remembered one is over', async () => {
    const over = { message: 'Over.', code: 'conversation-ended', retryable: false } as const;
    realtime.startAck = async () =>
      realtime.starts.length === 1 ? { ok: false, error: over } : { ok: true, conversationId: 'call-1' };
    const call = openCall({ conversationId: 'call-0' });
    server.connected();
    await settle();
    expect(realtime.starts.map((start) => start.conversationId)).toEqual(['call-0', undefined]);
    expect(call.getState().ended).toBe(false);
  });

  it('ends when the call was ended elsewhere in the middle of it', async () => {
    const call = await startedCall();
    const over = { message: 'Over.', code: 'conversation-ended', retryable: false } as const;
    realtime.startAck = async () => ({ ok: false, error: over });
    server.lost();
    server.connected();
    await settle();
    expect(call.getState()).toMatchObject({ ended: true, conversationId: 'call-1' });
  });

  it('says why it could not be started, and tries again on demand', async () => {
    const away = { message: 'Sigma is restarting.', code: 'unavailable', retryable: true } as const;
    realtime.startAck = async () => ({ ok: false, error: away });
    const call = openCall();
    server.connected();
    await settle();
    expect(call.getState().problem).toBe('Sigma is restarting.');
    call.retryStart();
    expect(realtime.starts).toHaveLength(2);
  });

  it('hands a session that is gone to its owner', async () => {
    openCall();
    server.signedOut();
    expect(signedOut).toBe(1);
  });
});

describe('saying something', () => {
  it('sends it under an id of its own and waits', async () => {
    const call = await startedCall();
    expect(call.say('  Where is my parcel? ')).toBe(true);
    expect(call.getState().waiting).toBe(true);
    await settle();
    expect(realtime.messages).toEqual([
      {
        conversationId: 'call-1',
        message: 'Where is my parcel?',
        isCallSimulator: true,
        clientMessageId: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    ]);
    expect(call.getState().entries.at(-1)).toMatchObject({ delivery: 'stored' });
  });

  it('refuses blank text, a second message while waiting, and everything before the start', async () => {
    const call = openCall();
    expect(call.say('Hi')).toBe(false);
    server.connected();
    await settle();
    welcome();
    expect(call.say('   ')).toBe(false);
    expect(call.say('Hi')).toBe(true);
    expect(call.say('Hi')).toBe(false);
    await settle();
    expect(realtime.messages).toHaveLength(1);
  });

  it('sends it again under the same id after a reconnect until it is acknowledged', async () => {
    const call = await startedCall();
    realtime.sayAck = () => {
      server.lost();
      return Promise.reject(new Error('lost'));
    };
    call.say('Hi');
    await settle();
    expect(call.getState().entries.at(-1)).toMatchObject({ delivery: 'sending' });
    realtime.sayAck = async () => ({ ok: true, messageId: 'stored-1' });
    server.connected();
    await settle();
    server.started({ conversationId: 'call-1', demoAgent, messages: [] });
    await settle();
    const ids = realtime.messages.map((message) => message.clientMessageId);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect(call.getState().entries.at(-1)).toMatchObject({ delivery: 'stored' });
  });

  it('asks again for the answer that went missing with the connection', async () => {
    const call = await startedCall();
    call.say('Hi');
    await settle();
    const clientMessageId = realtime.messages[0]?.clientMessageId ?? '';
    server.lost();
    server.connected();
    await settle();
    const mine = {
      _id: 'stored-1',
      role: 'user',
      author: { kind: 'contact' },
      content: 'Hi',
      timestamp: at,
      clientMessageId,
    } as const;
    server.started({ conversationId: 'call-1', demoAgent, messages: [mine] });
    await settle();
    expect(realtime.messages.map((message) => message.clientMessageId)).toEqual([
      clientMessageId,
      clientMessageId,
    ]);
  });

  it('leaves a question alone that another tab is being answered', async () => {
    openCall({ conversationId: 'call-1' });
    server.connected();
    await settle();
    const theirs = {
      _id: 'stored-1',
      role: 'user',
      author: { kind: 'contact' },
      content: 'Hi',
      timestamp: at,
      clientMessageId: 'a',
    } as const;
    server.started({ conversationId: 'call-1', demoAgent, messages: [theirs], answering: true });
    await settle();
    expect(realtime.messages).toEqual([]);
  });

  it('survives a reload of the page on its way out', async () => {
    const tabKey = btoa('k'.repeat(32));
    ownTab('user-ada', tabKey);
    const first = await startedCall();
    realtime.sayAck = () => new Promise(() => {});
    first.say('Do not lose me');
    await settle();
    first.close();
    leaveTab();
    ownTab('user-ada', tabKey);
    realtime = new FakeRealtime();
    const second = openCall({ conversationId: 'call-1' });
    server.connected();
    await settle();
    server.started({ conversationId: 'call-1', demoAgent, messages: [] });
    await settle();
    expect(realtime.messages).toMatchObject([{ message: 'Do not lose me' }]);
    expect(second.getState().entries.at(-1)).toMatchObject({ text: 'Do not lose me', delivery: 'stored' });
  });

  it('gives up after three silences and says so', async () => {
    const call = await startedCall();
    realtime.sayAck = () => Promise.reject(new Error('no acknowledgement'));
    call.say('Hi');
    await settle();
    expect(realtime.messages).toHaveLength(3);
    expect(call.getState().entries.at(-1)).toMatchObject({ delivery: 'failed' });
    realtime.sayAck = async () => ({ ok: true, messageId: 'stored-1' });
    call.sayAgain(realtime.messages[0]?.clientMessageId ?? '');
    await settle();
    expect(new Set(realtime.messages.map((message) => message.clientMessageId)).size).toBe(1);
    expect(call.getState().entries.at(-1)).toMatchObject({ delivery: 'stored' });
  });

  it('lets one write again when no answer comes for long', async () => {
    const call = await startedCall();
    vi.useFakeTimers();
    call.say('Hi');
    await settle();
    vi.advanceTimersByTime(80_000);
    expect(call.getState()).toMatchObject({ waiting: false });
    expect(call.getState().entries.at(-1)).toMatchObject({ delivery: 'unanswered' });
  });
});

describe('the voice', () => {
  it('speaks the welcome, then each sentence as it comes', async () => {
    const call = openCall();
    server.connected();
    await settle();
    welcome({ audioData: audio(1), audioType: 'audio/mpeg' });
    await settle();
    expect(call.getState().speaking).toEqual({ replyId: 'welcome', index: 0 });
    await sound.advance(2);
    chunk(0);
    chunk(1, { isLast: true });
    await settle();
    expect(call.getState().speaking).toEqual({ replyId: 'reply-1', index: 0 });
    await sound.advance(2.1);
    expect(call.getState().speaking).toEqual({ replyId: 'reply-1', index: 1 });
    await sound.advance(3);
    expect(call.getState().speaking).toBeNull();
  });

  it('plays audio that is somewhere on the API host', async () => {
    vi.stubGlobal('fetch', async (url: URL) => {
      expect(url.pathname).toBe('/media/welcome.mp3');
      return new Response(Uint8Array.from(clip(1)));
    });
    const call = openCall();
    server.connected();
    await settle();
    welcome({ audioUrl: '/media/welcome.mp3' });
    await vi.waitFor(() => expect(call.getState().speaking).toEqual({ replyId: 'welcome', index: 0 }));
  });

  it('says the rest of its sentence and no more when the connection is lost', async () => {
    const call = await startedCall();
    chunk(0);
    await settle();
    server.lost();
    expect(call.getState().speaking).toEqual({ replyId: 'reply-1', index: 0 });
    await sound.advance(3);
    expect(call.getState()).toMatchObject({ speaking: null, voicing: null });
    server.connected();
    await settle();
    chunk(0);
    chunk(1, { isLast: true });
    await settle();
    expect(sound.played).toHaveLength(1);
    expect(call.getState().voicing).toBeNull();
  });

  it('falls silent when the person writes, and leaves the reply whole', async () => {
    const call = await startedCall();
    chunk(0);
    response();
    await settle();
    call.say('And another thing');
    chunk(1, { isLast: true });
    await settle();
    expect(call.getState().speaking).toBeNull();
    expect(sound.played).toHaveLength(1);
    expect(realtime.interrupts).toEqual([]);
    expect(call.canReplay('reply-1')).toBe(true);
  });

  it('is interrupted with what was heard, and shows what is stored then', async () => {
    const call = await startedCall();
    call.say('Hi');
    chunk(0);
    chunk(1);
    await settle();
    await sound.advance(1.015);
    realtime.interruptAck = { ok: true, message: 'Sentence' };
    call.interrupt();
    chunk(2);
    await settle();
    expect(realtime.interrupts).toEqual([
      { conversationId: 'call-1', responseId: 'reply-1', heardMs: 1_000 },
    ]);
    expect(call.getState().speaking).toBeNull();
    expect(call.getState().entries.at(-1)).toMatchObject({ text: 'Sentence', interrupted: true });
  });

  it('is not marked interrupted when everything had been heard', async () => {
    const call = await startedCall();
    chunk(0, { isLast: true });
    response({ message: 'Sentence 0.' });
    await settle();
    await sound.advance(1.9);
    realtime.interruptAck = { ok: true, message: 'Sentence 0.' };
    call.interrupt();
    await settle();
    expect(call.getState().entries.at(-1)).toMatchObject({ text: 'Sentence 0.', interrupted: false });
  });

  it('tells the server nothing when a welcome or a repetition is stopped, or nothing is heard', async () => {
    const call = openCall();
    server.connected();
    await settle();
    welcome({ audioData: audio(3), audioType: 'audio/mpeg' });
    await settle();
    call.interrupt();
    expect(call.getState().speaking).toBeNull();
    call.interrupt();
    chunk(0, { isLast: true });
    response({ message: 'Sentence 0.' });
    await settle();
    await sound.advance(5);
    call.replay('reply-1');
    await settle();
    expect(call.getState().speaking).toEqual({ replyId: 'reply-1', index: 0 });
    call.interrupt();
    expect(call.getState().speaking).toBeNull();
    expect(realtime.interrupts).toEqual([]);
  });

  it('turned off falls silent, asks for text alone and keeps what comes all the same', async () => {
    const call = await startedCall();
    chunk(0);
    await settle();
    call.setVoice(false);
    expect(call.getState().speaking).toBeNull();
    response();
    call.say('Hi');
    chunk(0, { responseId: 'reply-2', isLast: true });
    await settle();
    expect(realtime.messages).toMatchObject([{ voice: false }]);
    expect(sound.played).toHaveLength(1);
    expect(call.canReplay('reply-2')).toBe(true);
  });

  it('is silent after the call has ended', async () => {
    const call = await startedCall();
    chunk(0);
    await settle();
    call.end();
    chunk(1, { isLast: true });
    await settle();
    expect(call.getState()).toMatchObject({ ended: true, speaking: null });
    expect(sound.played).toHaveLength(1);
  });
});

it('lets go of the channel and the loudspeaker', async () => {
  const call = await startedCall();
  chunk(0);
  await settle();
  call.close();
  await settle();
  expect(realtime.isClosed).toBe(true);
  expect(sound.isClosed).toBe(true);
});

describe('speaking', () => {
  const record = async (call: CallClient, chunks = 10) => {
    call.startTalking('push-to-talk');
    await settle();
    for (let chunk = 0; chunk < chunks; chunk++) microphone.sound();
    call.finishTalking();
    await settle();
  };

  it('brings the recording of a message to the server before the message', async () => {
    realtime.speechEndAck = { ok: true, text: 'Where is my parcel?' };
    const call = await startedCall();
    await record(call);
    expect(uploads).toEqual([{ transcript: 'Where is my parcel?', seconds: expect.closeTo(0.48) }]);
    expect(realtime.messages).toMatchObject([{ message: 'Where is my parcel?' }]);
    expect(call.getState().entries.at(-1)).toMatchObject({ text: 'Where is my parcel?', isSpoken: true });
    expect(call.getState()).toMatchObject({ waiting: true, talk: { phase: 'off', text: '' } });
  });

  it('shows the message while its recording is still on its way, and sends it when that fails', async () => {
    realtime.speechEndAck = { ok: true, text: 'Where is my parcel?' };
    let fail = () => {};
    const call = await startedCall({
      upload: () =>
        new Promise((_, reject) => {
          fail = () => reject(new Error('too large'));
        }),
    });
    await record(call);
    expect(call.getState().entries.at(-1)).toMatchObject({
      text: 'Where is my parcel?',
      delivery: 'sending',
    });
    expect(realtime.messages).toEqual([]);
    fail();
    await settle();
    expect(realtime.messages).toHaveLength(1);
  });

  it('keeps no recording where none shall be kept', async () => {
    realtime.speechEndAck = { ok: true, text: 'Where is my parcel?' };
    const settings = {
      recognition: 'server',
      ears: 'ready',
      earsMessage: null,
      keepRecordings: false,
    } as const;
    const call = await startedCall({ settings: () => settings });
    await record(call);
    expect([uploads, realtime.messages.length]).toEqual([[], 1]);
  });

  it('cuts the agent off once the microphone is open', async () => {
    const call = await startedCall();
    chunk(0);
    await settle();
    await sound.advance(1.015);
    call.startTalking('push-to-talk');
    await settle();
    expect(realtime.interrupts).toEqual([
      { conversationId: 'call-1', responseId: 'reply-1', heardMs: 1_000 },
    ]);
    expect(call.getState().held).toBe(false);
  });

  it('is over with the call', async () => {
    const call = await startedCall();
    call.startTalking('hands-free');
    await settle();
    call.end();
    expect([microphone.open, call.getState().talk.phase]).toEqual([0, 'off']);
    call.startTalking('hands-free');
    await settle();
    expect(microphone.open).toBe(0);
  });

  it('is over when the call was ended elsewhere', async () => {
    const call = await startedCall();
    call.startTalking('hands-free');
    await settle();
    const over = { message: 'Over.', code: 'conversation-ended', retryable: false } as const;
    realtime.startAck = async () => ({ ok: false, error: over });
    server.lost();
    server.connected();
    await settle();
    expect([microphone.open, call.getState().ended]).toEqual([0, true]);
  });

  it('is over when both have said goodbye', async () => {
    const call = await startedCall();
    call.startTalking('hands-free');
    await settle();
    server.speechEnded({
      conversationId: 'call-1',
      message: 'This conversation has ended.',
      code: 'conversation-ended',
      retryable: false,
    });
    expect([microphone.open, call.getState().ended, call.getState().talk.problem]).toEqual([0, true, null]);
  });

  it('lets go of the microphone with the page', async () => {
    const call = await startedCall();
    call.startTalking('hands-free');
    await settle();
    call.close();
    expect(microphone.open).toBe(0);
  });
});

describe('speaking hands-free', () => {
  const message = {
    _id: 'stored-2',
    role: 'user' as const,
    author: { kind: 'contact' as const },
    content: 'When do you open?',
    timestamp: at,
    clientMessageId: 'spoken-1',
  };
  const handsFree = async () => {
    const call = await startedCall();
    call.startTalking('hands-free');
    await settle();
    return call;
  };

  it('turns what is forming into a message that waits for its answer', async () => {
    const call = await handsFree();
    server.transcript({ conversationId: 'call-1', text: 'When do you open?', isFinal: true });
    expect(call.getState().talk.text).toBe('When do you open?');
    server.messageStored({ conversationId: 'call-1', message });
    expect(call.getState()).toMatchObject({ waiting: true, talk: { text: '', phase: 'open' } });
    expect(call.getState().entries.at(-1)).toMatchObject({ id: 'spoken-1', delivery: 'stored' });
    expect(realtime.messages).toEqual([]);
  });

  it('shows what could not be taken, to be sent again under its id', async () => {
    const call = await handsFree();
    server.error({
      conversationId: 'call-1',
      clientMessageId: 'spoken-1',
      text: 'When do you open?',
      message: 'Too many messages.',
      code: 'rate-limited',
      retryable: true,
    });
    expect(call.getState().entries.at(-1)).toMatchObject({
      delivery: 'failed',
      problem: 'Too many messages.',
    });
    call.sayAgain('spoken-1');
    expect(realtime.messages).toMatchObject([{ message: 'When do you open?', clientMessageId: 'spoken-1' }]);
  });

  it('does not show a reply that was called off before a word of it was heard', async () => {
    const call = await handsFree();
    chunk(0);
    response({ message: '', interrupted: true });
    expect(call.getState().entries.map((entry) => entry.id)).toEqual(['welcome']);
  });

  it('shows nothing for the silence that a customer asked for', async () => {
    const call = await handsFree();
    server.messageStored({ conversationId: 'call-1', message });
    response({ message: '' });
    expect(call.getState().waiting).toBe(false);
    expect(call.getState().entries.map((entry) => entry.id)).toEqual(['welcome', 'spoken-1']);
  });

  it('goes on after a reconnect, and says nothing twice that has become a message', async () => {
    const call = await handsFree();
    server.transcript({ conversationId: 'call-1', text: 'When do you', isFinal: false });
    server.lost();
    server.connected();
    await settle();
    const welcomed = {
      _id: 'welcome',
      role: 'assistant' as const,
      author: { kind: 'agent' as const },
      content: 'Hello!',
      timestamp: at,
    };
    server.started({
      conversationId: 'call-1',
      demoAgent,
      messages: [welcomed, message],
      answering: true,
    });
    expect(call.getState().talk).toMatchObject({ text: '', phase: 'open' });
    expect(realtime.speech.filter((each) => 'start' in each)).toHaveLength(2);
  });
});

describe('speaking over the agent', () => {
  const talkingAgent = async () => {
    const call = await startedCall();
    chunk(0);
    chunk(1, { isLast: true });
    response();
    await settle();
    await sound.advance(1.015);
    return call;
  };
  const bargeIn = (phase: 'hold' | 'release' | 'interrupt') =>
    server.bargeIn({ conversationId: 'call-1', phase });

  it('pauses its voice at once, and goes on after a "mhm"', async () => {
    const call = await talkingAgent();
    bargeIn('hold');
    expect(call.getState()).toMatchObject({ held: true, voicing: 'reply-1' });
    expect(sound.played.every((each) => each.stoppedAt !== null)).toBe(true);
    await sound.advance(0.5);
    bargeIn('release');
    expect(call.getState().held).toBe(false);
    expect(sound.played.at(-1)?.stoppedAt).toBeNull();
    expect(realtime.interrupts).toEqual([]);
  });

  it('cuts its reply to what was heard when it paused', async () => {
    realtime.interruptAck = { ok: true, message: 'Sentence 0.' };
    const call = await talkingAgent();
    bargeIn('hold');
    await sound.advance(2);
    bargeIn('interrupt');
    await settle();
    expect(realtime.interrupts).toEqual([
      { conversationId: 'call-1', responseId: 'reply-1', heardMs: 1_000 },
    ]);
    expect(call.getState()).toMatchObject({ held: false, voicing: null });
    expect(call.getState().entries.at(-1)).toMatchObject({ text: 'Sentence 0.', interrupted: true });
  });

  it('keeps back a reply that has not begun, and takes it back unheard', async () => {
    const call = await startedCall();
    bargeIn('hold');
    chunk(0, { isLast: true });
    response();
    await settle();
    expect(sound.played).toEqual([]);
    bargeIn('interrupt');
    expect(realtime.interrupts).toEqual([{ conversationId: 'call-1', responseId: 'reply-1', heardMs: 0 }]);
    expect(call.getState().held).toBe(false);
  });

  it('lets the agent go on when nothing follows, and when the channel is lost', async () => {
    vi.useFakeTimers();
    const call = await talkingAgent();
    bargeIn('hold');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(call.getState().held).toBe(false);
    bargeIn('hold');
    server.lost();
    expect(call.getState().held).toBe(false);
  });

  it('needs to know what is heard: it is told from the first sound to the last', async () => {
    await talkingAgent();
    expect(realtime.playbacks).toEqual(['reply-1']);
    bargeIn('hold');
    bargeIn('release');
    await settle();
    expect(realtime.playbacks).toEqual(['reply-1']);
    await sound.advance(10);
    expect(realtime.playbacks).toEqual(['reply-1', null]);
  });

  it('is told again after a reconnect while something is heard', async () => {
    await talkingAgent();
    server.lost();
    server.connected();
    await settle();
    server.started({ conversationId: 'call-1', demoAgent, messages: [] });
    expect(realtime.playbacks).toEqual(['reply-1', 'reply-1']);
  });
});
