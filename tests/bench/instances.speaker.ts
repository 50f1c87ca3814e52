import { setTimeout as pause } from 'node:timers/promises';
import type { Socket } from 'socket.io-client';
import { v7 as uuidv7 } from 'uuid';
import { conversationSchema, type Message } from '#shared/conversations';
import type {
  AiResponse,
  AiResponseChunk,
  ConversationStarted,
  MessageStored,
  RealtimeError,
  SpeechActivity,
  SpeechEnded,
  Transcript,
} from '#shared/realtime';
import { type Clip, soundOf } from '../speech/speech-set.ts';
import { InstanceLine } from './instances.line.ts';
import { InstanceUplink } from './instances.uplink.ts';
import { Microphone } from './speaking.microphone.ts';

/** A spoken question and its answer; times by `performance.now()`. */
export interface SpokenExchange {
  clip: Clip;
  /** When they began to speak, on the clock of the database. */
  beganAt: Date;
  /** The true end of the question. */
  endedAt: number;
  /** The first sound of an answer, or all of a text-only answer. */
  answeredAt: number | null;
  refusal: string | null;
}

/** The page's waits for reconnection: 1 s, then 2 and 4 s, 5 s at most, each varied by half. */
const AGAIN_MS = { first: 1_000, most: 5_000 };
/** A speaker whose microphone was switched off reads the reason, and switches it on again. */
const READS_MS = 3_000;
/** After this time they ask another question. */
const PATIENCE_MS = 40_000;
const LOOK_MS = 20;

/**
 * A hands-free speaker who behaves like the page when a connection is lost: reconnects after a moment, sends the
 * current speech again, and asks again for a missing answer.
 */
export class InstanceSpeaker {
  readonly exchanges: SpokenExchange[] = [];
  /** Recognised texts that they received. */
  readonly told: string[] = [];
  /** Reasons for switching off their microphone. */
  readonly switchedOff: string[] = [];
  #line: InstanceLine | null = null;
  readonly #uplink = new InstanceUplink((sentence) => this.#micOff(sentence));
  readonly #microphone = new Microphone((pcm) =>
    this.#uplink.push(Int16Array.from(new Int16Array(pcm.buffer, pcm.byteOffset, pcm.byteLength / 2))),
  );
  #asked: SpokenExchange | null = null;
  #isOn = true;
  #isTaken = false;
  #mustSayAgain = false;
  /** Own messages known to be stored. */
  readonly #stored = new Set<string>();

  private constructor() {}

  /** @param at index of their first instance */
  static async come(urls: readonly string[], at: number): Promise<InstanceSpeaker> {
    const speaker = new InstanceSpeaker();
    speaker.#line = await InstanceLine.open({
      urls,
      at,
      voice: true,
      againMs: (attempt) => Math.min(AGAIN_MS.first * 2 ** attempt, AGAIN_MS.most) * (0.5 + Math.random()),
      opened: (socket) => speaker.#listen(socket),
    });
    return speaker;
  }

  get timesMoved(): number {
    return this.#line?.timesMoved ?? 0;
  }

  /** Speaks a question, and waits until it is answered or refused, or for their whole patience. */
  async ask(clip: Clip): Promise<void> {
    const sound = await soundOf(clip);
    const endedAt = this.#microphone.say(sound, clip.endMs);
    const exchange: SpokenExchange = { clip, beganAt: new Date(), endedAt, answeredAt: null, refusal: null };
    this.exchanges.push(exchange);
    this.#asked = exchange;
    this.#isTaken = false;
    this.#mustSayAgain = false;
    const isSettled = () => exchange.answeredAt !== null || exchange.refusal !== null;
    while (!isSettled() && performance.now() < endedAt + PATIENCE_MS) {
      if (this.#mustSayAgain && this.#uplink.isOpen) {
        this.#mustSayAgain = false;
        this.#microphone.say(sound, clip.endMs);
      }
      await pause(LOOK_MS);
    }
    this.#asked = null;
  }

  /** Restarts the counts. */
  startAfresh(): void {
    this.exchanges.length = 0;
    this.told.length = 0;
    this.switchedOff.length = 0;
    if (this.#line) this.#line.timesMoved = 0;
  }

  leave(): void {
    this.#microphone.off();
    this.#line?.leave();
  }

  /** The stored messages of their conversation. */
  async record(): Promise<Message[]> {
    const stored = await this.#line?.get(`/conversations/${this.#line.conversationId}`);
    return conversationSchema.parse(stored).messages;
  }

  #listen(socket: Socket): void {
    socket.on('conversation_started', (event: ConversationStarted) => this.#started(socket, event));
    socket.on('speech_activity', ({ isSpeaking }: SpeechActivity) => {
      if (isSpeaking) this.#uplink.kept.speechBegan();
    });
    socket.on('transcript', ({ text, isFinal }: Transcript) => {
      if (!isFinal) return;
      if (text) {
        this.told.push(text);
        this.#uplink.kept.understoodWhole();
      } else this.#uplink.kept.wasNothing();
    });
    socket.on('message_stored', ({ message }: MessageStored) => {
      this.#stored.add(message._id);
      this.#isTaken = true;
      this.#uplink.kept.understood();
    });
    socket.on('ai_response_chunk', ({ conversationId, responseId, index, audioData }: AiResponseChunk) => {
      if (index === 0) socket.emit('playback', { conversationId, responseId });
      if (audioData) this.#answered();
    });
    socket.on('ai_response', ({ conversationId, interrupted, message }: AiResponse) => {
      socket.emit('playback', { conversationId, responseId: null });
      if (interrupted && message === '') return;
      this.#answered();
    });
    socket.on('error', ({ message, text }: RealtimeError) => {
      if (text !== undefined) this.#uplink.kept.understood();
      if (this.#asked) this.#asked.refusal ??= message;
    });
    socket.on('speech_ended', ({ message }: SpeechEnded) => {
      this.#uplink.end();
      this.#micOff(message);
    });
  }

  /** The conversation begins or continues. */
  #started(socket: Socket, { conversationId, messages = [], answering }: ConversationStarted): void {
    const own = messages.filter(({ role }) => role === 'user');
    // Speech during the loss has become a message, or is sent again.
    for (const { _id } of own.filter(({ _id }) => !this.#stored.has(_id))) {
      this.#stored.add(_id);
      this.#isTaken = true;
      this.#uplink.kept.understood();
    }
    if (this.#isOn) this.#uplink.begin(socket, conversationId);
    const last = messages.at(-1);
    if (last?.role === 'assistant' && this.#isTaken) this.#answered();
    if (last?.role !== 'user' || answering) return;
    const { content: message, clientMessageId = uuidv7() } = last;
    socket.emit('user_message', { conversationId, message, clientMessageId }, () => {});
  }

  #answered(): void {
    if (this.#asked) this.#asked.answeredAt ??= performance.now();
  }

  #micOff(sentence: string): void {
    this.switchedOff.push(sentence);
    if (this.#asked && !this.#isTaken) this.#mustSayAgain = true;
    if (!this.#isOn) return;
    this.#isOn = false;
    void this.#switchOnAgain();
  }

  async #switchOnAgain(): Promise<void> {
    await pause(READS_MS);
    const line = this.#line;
    if (!line) return;
    const { socket } = await line.reach();
    this.#isOn = true;
    this.#uplink.begin(socket, line.conversationId);
  }
}
