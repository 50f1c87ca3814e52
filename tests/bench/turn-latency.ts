import process from 'node:process';
import { io, type Socket } from 'socket.io-client';
import { signedInSchema } from '#shared/accounts';
import type { AiResponseChunk, ConversationStarted, RealtimeError, UserMessageAck } from '#shared/realtime';
import { startServer, type TurnServer } from './turn-server.start.ts';

interface Percentiles {
  p50Ms: number;
  p95Ms: number;
}

interface TurnFigures {
  /** Turns per line. */
  turns: number;
  /** `user_message` → acknowledgement, after the message is safely stored. */
  ack: Percentiles;
  /** `user_message` (voice off) → `ai_response`. */
  text: Percentiles;
  /** `user_message` → first `ai_response_chunk` with sound, of a 12-word sentence never spoken before. */
  firstAudio: Percentiles;
  /**
   * The same while five calls answer at once, with the delay of the server's event loop. Null for an external server.
   */
  fiveCalls: {
    firstAudio: Percentiles;
    /** Turns that came as text only, because the voice was busy with others. */
    withoutSound: number;
    eventLoop: { p50Ms: number; p99Ms: number; maxMs: number };
  } | null;
}

interface TurnBenchOptions {
  /** Turns per figure; 100 by default. */
  turns?: number;
  /** A running server without rate limits. Without one the bench starts its own, in a child process. */
  url?: string;
}

const WARM_UP_TURNS = 5;
const CALLS_AT_ONCE = 5;

/** Measures turns of a call over a real socket on this machine, one at a time, then five at once. */
export async function benchTurns(options: TurnBenchOptions = {}): Promise<TurnFigures> {
  const turns = options.turns ?? 100;
  if (options.url) return { ...(await oneCall(options.url, turns)), fiveCalls: null };
  const server = await startServer();
  try {
    const single = await oneCall(server.url, turns);
    return { ...single, fiveCalls: await callsAtOnce(server, turns) };
  } finally {
    await server.close();
  }
}

async function oneCall(url: string, turns: number): Promise<Omit<TurnFigures, 'fiveCalls'>> {
  const call = await startCall(url);
  try {
    for (let n = 0; n < WARM_UP_TURNS; n++) await call.turn(n, true);
    const text: TurnTimes[] = [];
    for (let n = 0; n < turns; n++) text.push(await call.turn(n, false));
    const spoken: TurnTimes[] = [];
    for (let n = 0; n < turns; n++) spoken.push(await call.turn(n, true));
    return {
      turns,
      ack: percentiles(text.map(({ ackMs }) => ackMs)),
      text: percentiles(text.map(({ responseMs }) => responseMs)),
      firstAudio: percentiles(spoken.map(heard)),
    };
  } finally {
    call.close();
  }
}

async function callsAtOnce(
  server: TurnServer,
  turns: number,
): Promise<NonNullable<TurnFigures['fiveCalls']>> {
  const calls = await Promise.all(Array.from({ length: CALLS_AT_ONCE }, () => startCall(server.url)));
  try {
    const times: TurnTimes[] = [];
    server.tell('watch');
    for (let n = 0; n < turns; n += CALLS_AT_ONCE)
      times.push(...(await Promise.all(calls.map((call, place) => call.turn(n + place, true)))));
    const eventLoop = await server.eventLoop();
    const audio = times.flatMap(({ firstAudioMs }) => firstAudioMs ?? []);
    return { firstAudio: percentiles(audio), withoutSound: times.length - audio.length, eventLoop };
  } finally {
    for (const call of calls) call.close();
  }
}

function heard({ firstAudioMs }: TurnTimes): number {
  if (firstAudioMs === null) throw new Error('A reply came without sound: is the voice ready?');
  return firstAudioMs;
}

export interface TurnTimes {
  ackMs: number;
  /** The first sentence; null if none came separately. */
  firstTextMs: number | null;
  firstAudioMs: number | null;
  responseMs: number;
}

export interface BenchCall {
  token: string;
  conversationId: string;
  /** @throws the refusal */
  turn(n: number, voice: boolean, message?: string): Promise<TurnTimes>;
  close(): void;
}

/** A refusal, as the page would show it. */
export class Refused extends Error {
  readonly code: string;

  constructor({ message, code }: RealtimeError) {
    super(message);
    this.code = code;
  }
}

/** Registers a user and starts a call with the demo agent. */
export async function startCall(url: string): Promise<BenchCall> {
  const { token, user } = await register(url);
  const socket: Socket = io(url, {
    auth: { token, streaming: true },
    transports: ['websocket'],
    forceNew: true,
  });
  const { conversationId } = await new Promise<ConversationStarted>((resolve, reject) => {
    socket.once('connect_error', reject);
    socket.once('error', ({ message }: { message: string }) => reject(new Error(message)));
    socket.once('conversation_started', resolve);
    socket.once('connect', () =>
      socket.emit('start_conversation', { userId: user._id, isCallSimulator: true }),
    );
  });
  socket.removeAllListeners('error');

  return {
    token,
    conversationId,
    turn(n, voice, message = question(n)) {
      return new Promise((resolve, refuse) => {
        const started = performance.now();
        const stopListening = () => {
          for (const event of ['ai_response_chunk', 'ai_response', 'error', 'typing'])
            socket.removeAllListeners(event);
        };
        const reject = (error: RealtimeError) => {
          stopListening();
          refuse(new Refused(error));
        };
        const since = () => performance.now() - started;
        const times: TurnTimes = { ackMs: 0, firstTextMs: null, firstAudioMs: null, responseMs: 0 };
        socket.on('ai_response_chunk', ({ audioData }: AiResponseChunk) => {
          times.firstTextMs ??= since();
          if (audioData) times.firstAudioMs ??= since();
        });
        socket.once('ai_response', () => {
          times.responseMs = since();
        });
        socket.once('error', reject);
        socket.on('typing', (isTyping: boolean) => {
          if (isTyping) return;
          stopListening();
          resolve(times);
        });
        const payload = { conversationId, message, isCallSimulator: true, voice };
        socket.emit('user_message', payload, (ack: UserMessageAck) => {
          if (ack.ok) times.ackMs = since();
          else reject(ack.error);
        });
      });
    },
    close: () => void socket.disconnect(),
  };
}

const topics = [
  'When are you open on Saturday?',
  'How long does delivery take?',
  'How do I return a speaker that I do not like?',
  'What does express delivery cost?',
  'How long is the warranty on a kettle?',
  'Can I pay by invoice?',
  'How do I change the address of my order?',
  'My package is damaged, what should I do?',
  'How do I reset my password?',
  'Can I cancel an order?',
];
const openings = [
  'Hello, ',
  'Quick question: ',
  'Please tell me: ',
  'I wonder: ',
  'Good morning. ',
  'One thing. ',
];

/** Successive questions are about different topics. */
export const question = (n: number) =>
  `${openings[Math.floor(n / topics.length) % openings.length]}${topics[n % topics.length]}`;

export async function register(url: string) {
  const response = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Bench',
      email: `bench-${process.pid}-${Math.random()}@sigma.example`,
      password: 'measured twice, cut once',
    }),
  });
  return signedInSchema.parse(await response.json());
}

/** Nearest-rank percentiles. */
function percentiles(values: readonly number[]): Percentiles {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}
