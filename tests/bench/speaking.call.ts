import { setTimeout as pause } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import type {
  AiResponseChunk,
  ConversationStarted,
  RealtimeError,
  SpeechAck,
  Transcript,
} from '#shared/realtime';
import { type Clip, soundOf } from '../speech/speech-set.ts';
import { Microphone } from './speaking.microphone.ts';
import { Refused, register } from './turn-latency.ts';

/** Between an answer and the next question. */
const BREATH_MS = 700;
const ANSWERED_WITHIN_MS = 15_000;

/** Milliseconds since the true end of the customer's question; null for events that did not come. */
export interface SpokenAnswer {
  clip: Clip;
  text: string;
  heardMs: number | null;
  /** When its first words were taken; if after `endedAt`, they are all of it. */
  firstTakenMs: number | null;
  storedMs: number | null;
  audioMs: number | null;
  /** The first sound of the answer, as the page gets it. */
  sound: Uint8Array | null;
  /** The true end of the question, on the clock of performance.now(). */
  endedAt: number;
}

/** A customer who speaks, hands-free over a real socket, sound in real time. */
export class SpokenCall {
  readonly #socket: Socket;
  readonly #conversationId: string;
  readonly #microphone: Microphone;

  private constructor(socket: Socket, conversationId: string) {
    this.#socket = socket;
    this.#conversationId = conversationId;
    let index = 0;
    this.#microphone = new Microphone((pcm) => socket.emit('speech_audio', { index: index++, audio: pcm }));
  }

  /** @throws the refusal */
  static async start(url: string): Promise<SpokenCall> {
    const { token, user } = await register(url);
    const socket = io(url, { auth: { token, streaming: true }, transports: ['websocket'], forceNew: true });
    const { conversationId } = await new Promise<ConversationStarted>((resolve, reject) => {
      socket.once('connect_error', reject);
      socket.once('conversation_started', resolve);
      socket.emit('start_conversation', { userId: user._id, isCallSimulator: true, voice: false });
    });
    const settings = { conversationId, sampleRate: 16_000, mode: 'hands-free' };
    const ack: SpeechAck = await socket.emitWithAck('speech_start', settings);
    if (!ack.ok) {
      socket.disconnect();
      throw new Refused(ack.error);
    }
    return new SpokenCall(socket, conversationId);
  }

  /** Says a sentence, and waits for the end of the answer. */
  async ask(clip: Clip): Promise<SpokenAnswer> {
    const socket = this.#socket;
    const samples = await soundOf(clip);
    await pause(BREATH_MS);
    const endedAt = this.#microphone.say(samples, clip.endMs);
    const none = { heardMs: null, firstTakenMs: null, storedMs: null, audioMs: null, sound: null };
    const answer: SpokenAnswer = { clip, text: '', endedAt, ...none };
    const since = () => performance.now() - endedAt;
    const conversationId = this.#conversationId;
    const limit = AbortSignal.timeout(clip.durationMs + ANSWERED_WITHIN_MS);
    await new Promise<void>((resolve) => {
      limit.addEventListener('abort', () => resolve());
      socket.on('transcript', ({ text, isFinal }: Transcript) => {
        if (!isFinal || !text) return;
        answer.text = `${answer.text} ${text}`.trim();
        answer.heardMs = since();
        answer.firstTakenMs ??= answer.heardMs;
      });
      socket.on('message_stored', () => {
        answer.storedMs = since();
      });
      socket.on('ai_response_chunk', ({ audioData, responseId, index }: AiResponseChunk) => {
        if (audioData && answer.audioMs === null) {
          answer.audioMs = since();
          answer.sound = Buffer.from(audioData, 'base64');
        }
        if (index === 0) socket.emit('playback', { conversationId, responseId });
      });
      socket.on('error', ({ message }: RealtimeError) => console.error(message));
      socket.on('typing', (isTyping: boolean) => {
        if (!isTyping) resolve();
      });
    });
    for (const event of ['transcript', 'message_stored', 'ai_response_chunk', 'error', 'typing'])
      socket.removeAllListeners(event);
    socket.emit('playback', { conversationId, responseId: null });
    return answer;
  }

  hangUp(): void {
    this.#microphone.off();
    this.#socket.disconnect();
  }
}
