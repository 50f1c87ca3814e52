import { v7 as uuidv7 } from 'uuid';
import { fromPcm16 } from '#server/audio/pcm16';
import { Resampler } from '#server/audio/resampler';
import type { SpokenUtterance, TurnTaking, TurnTakingListener } from '#server/dialogue/turn-taking/contract';
import { HEARING_SAMPLE_RATE } from '#server/engines/recognition/contract';
import { AppError, conflict, unavailable } from '#server/errors';
import type { TurnListener } from '../call-events.ts';
import { isSameText } from '../customer-turn.ts';
import type { CallsService } from '../service.ts';
import type { SpokenSentence } from '../speak-in-order.ts';
import { Loudspeaker } from './loudspeaker.ts';
import { Pace } from './pace.ts';
import { Replies } from './replies.ts';
import type { SoundChunk } from './sound.ts';

/** Hands-free sound that waited for a connection may come at once; an utterance before it is of no use any more. */
const AHEAD_MS = 30_000;
/** A whole push to talk may be sent after it was spoken. */
const RECORDED_SPEED = 10;
/** The same trouble is told again after this time. */
const TROUBLE_MS = 30_000;

export interface SpeechRequest {
  userId: string;
  conversationId: string;
  /** In Hz. */
  sampleRate: number;
  mode: 'hands-free' | 'push-to-talk';
  /** `false`: replies to what is said hands-free come as text alone. */
  voice: boolean;
}

/** What somebody who speaks is told. */
export interface SpeakingClient {
  readonly id: string;
  /** Hears the turns that are taken of what it says. */
  readonly turns: TurnListener;
  transcript(conversationId: string, text: string, isFinal: boolean): void;
  activity(conversationId: string, isSpeaking: boolean): void;
  bargeIn(conversationId: string, phase: 'hold' | 'release' | 'interrupt'): void;
  /** Something went wrong and the stream goes on; `message` is what could not be taken. */
  refused(conversationId: string, error: unknown, message?: { clientMessageId: string; text: string }): void;
  /** The server ended the stream. @param text what a push to talk was understood to say until then */
  ended(conversationId: string, why: AppError, text: string | undefined): void;
}

export interface SpeechSurroundings {
  calls: Pick<CallsService, 'takeTurn' | 'anticipate' | 'dismiss' | 'interrupt' | 'yieldFloor' | 'wordsOf'>;
  listen(mode: SpeechRequest['mode'], listener: TurnTakingListener): TurnTaking;
  /** Keeps what was said hands-free, in the background. */
  keepUtterance(
    userId: string,
    message: { id: string; conversationId: string },
    sound: { samples: Float32Array; sampleRate: number },
  ): void;
  onUnexpected(error: unknown): void;
  /** Milliseconds that only ever grow. */
  now(): number;
}

/** One microphone that is on: its sound becomes a transcript, or, hands-free, a conversation. */
export class SpeechStream {
  readonly request: SpeechRequest;
  readonly client: SpeakingClient;
  readonly #around: SpeechSurroundings;
  readonly #onFinished: () => void;
  readonly #pace: Pace;
  readonly #resampler: Resampler;
  readonly #loudspeaker: Loudspeaker;
  readonly #replies: Replies;
  /** What came before the stream was open. */
  #early: Float32Array[] = [];
  #turnTaking: TurnTaking | null = null;
  #nextIndex = 0;
  /** Takes no more sound: why. */
  #closed: AppError | null = null;
  #isFinished = false;
  /** What went wrong when the last of it was recognised. */
  #lastTrouble: AppError | null = null;
  /** Push to talk: what was understood. */
  #text = '';
  #partial = '';
  /** Hands-free: what was said, unless the customer goes on. */
  #standing: string | null = null;
  /** What is being taken as messages, one after another. */
  #takes = Promise.resolve();
  /** The next utterance goes on with the one before. */
  #goesOn = false;
  #trouble: { message: string; at: number } | null = null;

  /** @param onFinished called once, when it takes no room any more */
  constructor(
    request: SpeechRequest,
    client: SpeakingClient,
    around: SpeechSurroundings,
    onFinished: () => void,
  ) {
    this.request = request;
    this.client = client;
    this.#around = around;
    this.#onFinished = onFinished;
    this.#pace = new Pace({
      aheadMs: AHEAD_MS,
      speed: this.#isHandsFree ? 1 : RECORDED_SPEED,
      now: around.now,
    });
    this.#resampler = new Resampler(request.sampleRate, HEARING_SAMPLE_RATE);
    this.#loudspeaker = new Loudspeaker(around.now);
    this.#replies = new Replies((words) => {
      this.#turnTaking?.agentSays(words);
      this.#turnTaking?.agentSays(null);
    });
  }

  /** Begins to listen, to what has come already first. */
  open(): void {
    if (this.#closed) return;
    const turnTaking = this.#around.listen(
      this.request.mode,
      this.#isHandsFree ? this.#inCall() : this.#asDictation(),
    );
    this.#turnTaking = turnTaking;
    for (const samples of this.#early.splice(0)) turnTaking.accept(this.#resampler.push(samples));
  }

  /** @throws AppError for sound that is not taken; the stream goes on unless some of it is missing */
  accept({ pcm, index }: SoundChunk): void {
    if (this.#closed) throw this.#closed;
    if (index !== null && index < this.#nextIndex) return;
    if (index !== null && index > this.#nextIndex) {
      const lost = conflict('Some of the sound was lost on its way. Please say it again.');
      void this.stop(lost);
      throw lost;
    }
    this.#pace.admit((pcm.byteLength / 2 / this.request.sampleRate) * 1000);
    if (index !== null) this.#nextIndex++;
    const samples = fromPcm16(pcm);
    if (this.#turnTaking) this.#turnTaking.accept(this.#resampler.push(samples));
    else this.#early.push(samples);
  }

  /** The reply that the loudspeaker begins; null when the agent's voice has ended. */
  playback(responseId: string | null): void {
    if (responseId === null) {
      this.#loudspeaker.end();
      this.#turnTaking?.agentSays(null);
      return;
    }
    this.#loudspeaker.begin(responseId);
    this.#replies.isHeard(responseId);
    this.#turnTaking?.agentSays(this.#replies.wordsOf(responseId) ?? '');
    if (this.#replies.wordsOf(responseId) === null) void this.#lookUp(responseId);
  }

  /** A sentence of a reply that goes out to this client. */
  sentence(sentence: SpokenSentence & { responseId: string }): void {
    this.#replies.add(sentence);
    const { responseId } = sentence;
    if (this.#loudspeaker.responseId === responseId)
      this.#turnTaking?.agentSays(this.#replies.wordsOf(responseId));
  }

  /**
   * No more sound comes.
   * @param discard what was said and is not taken yet is dropped
   * @returns what a push to talk was understood to say
   * @throws AppError unavailable when it could not be recognised
   */
  async end(discard: boolean): Promise<string> {
    if (this.#closed) return '';
    this.#closed = conflict('You are not speaking at the moment.');
    if (!discard) await this.#turnTaking?.end();
    this.#finish();
    await this.#takes;
    if (this.#lastTrouble && !this.#text) throw this.#lastTrouble;
    if (this.#isHandsFree || discard) return '';
    this.client.transcript(this.request.conversationId, this.#text, true);
    if (this.#text) this.#anticipate(this.#text);
    return this.#text;
  }

  /** Ends the stream from our side and says why; what was said until then is taken. */
  async stop(why: AppError): Promise<void> {
    if (this.#closed) return;
    this.#closed = why;
    await this.#turnTaking?.end();
    this.#takeStanding();
    this.#finish();
    await this.#takes;
    const { conversationId } = this.request;
    this.client.ended(conversationId, why, this.#isHandsFree ? undefined : this.#text || this.#partial);
  }

  /** It was never opened: who asked for it is told by other means. */
  refuse(why: AppError): void {
    this.#closed ??= why;
    this.#finish();
  }

  /** Ends the stream of a conversation that takes nothing any more. */
  cut(why: AppError): void {
    if (this.#closed) return;
    this.#closed = why;
    this.#finish();
    this.client.ended(this.request.conversationId, why, undefined);
  }

  /** The client has gone: what it had finished saying hands-free is taken, what it was saying is dropped. */
  leave(): void {
    this.#closed ??= conflict('You are not speaking at the moment.');
    if (this.#isFinished) return;
    this.#takeStanding();
    this.#finish();
  }

  /** Why it takes no more sound; null while it does. */
  get closed(): AppError | null {
    return this.#closed;
  }

  get #isHandsFree(): boolean {
    return this.request.mode === 'hands-free';
  }

  #finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#turnTaking?.close();
    this.#turnTaking = null;
    this.#replies.close();
    this.#early = [];
    this.#onFinished();
  }

  /** Push to talk: the client shows what it says and sends it itself. */
  #asDictation(): TurnTakingListener {
    const { client } = this;
    const { conversationId } = this.request;
    return {
      speaking: (isSpeaking) => client.activity(conversationId, isSpeaking),
      partial: (text) => this.#showPartial(text),
      hold() {},
      release() {},
      interrupt() {},
      candidate() {},
      utterance: ({ text }) => {
        this.#text = this.#text ? `${this.#text} ${text}` : text;
      },
      failed: (message, fatal) => this.#failed(message, fatal),
    };
  }

  /** Hands-free: what is said is taken as messages. */
  #inCall(): TurnTakingListener {
    const { client } = this;
    const { conversationId } = this.request;
    return {
      speaking: (isSpeaking) => {
        client.activity(conversationId, isSpeaking);
        if (isSpeaking) this.#standing = null;
        else if (this.#partial) this.#showFinal('');
      },
      partial: (text) => {
        this.#showPartial(text);
        if (this.#standing !== null && !isSameText(text, this.#standing)) this.#speaksOn();
      },
      hold: () => {
        this.#loudspeaker.pause();
        client.bargeIn(conversationId, 'hold');
      },
      release: () => {
        this.#loudspeaker.resume();
        client.bargeIn(conversationId, 'release');
      },
      interrupt: () => this.#interrupt(),
      candidate: (text) => {
        this.#standing = text;
        // A slow recognition tells both at once: then the utterance follows right away.
        queueMicrotask(() => {
          if (this.#standing === text) this.#anticipate(text);
        });
      },
      utterance: (utterance) => this.#take(utterance),
      failed: (message, fatal) => this.#failed(message, fatal),
    };
  }

  #showPartial(text: string): void {
    this.#partial = text;
    this.client.transcript(this.request.conversationId, text, false);
  }

  #showFinal(text: string): void {
    this.#partial = '';
    this.client.transcript(this.request.conversationId, text, true);
  }

  #anticipate(text: string): void {
    const { userId, conversationId, voice } = this.request;
    this.#around.calls.anticipate({ userId, conversationId, text, voice, goesOn: this.#goesOn });
  }

  #speaksOn(): void {
    this.#standing = null;
    this.#around.calls.dismiss(this.request.conversationId);
  }

  /** The customer takes the floor from a reply that is heard, or that is on its way. */
  #interrupt(): void {
    const { calls } = this.#around;
    const { userId, conversationId } = this.request;
    const heard = this.#loudspeaker.responseId;
    this.client.bargeIn(conversationId, 'interrupt');
    if (heard !== null) {
      calls.yieldFloor(userId, conversationId, heard, this.#loudspeaker.heardMs);
      this.#loudspeaker.stop();
      return;
    }
    this.#goesOn = true;
    this.#takes = this.#takes.then(() => {
      const unheard = this.#replies.takeUnheard();
      // Nothing waits for it: the turns of a conversation follow one another.
      if (unheard)
        calls
          .interrupt(userId, conversationId, unheard, 0)
          .catch((error: unknown) => this.#unexpected(error));
    });
  }

  #take({ text, samples, continues }: Pick<SpokenUtterance, 'text' | 'samples' | 'continues'>): void {
    const { userId, conversationId, voice } = this.request;
    const clientMessageId = uuidv7();
    this.#standing = null;
    this.#goesOn = false;
    this.#showFinal(text);
    const request = {
      userId,
      conversationId,
      text,
      clientMessageId,
      voice,
      isHeard: true,
      goesOn: continues,
    };
    this.#takes = this.#takes.then(async () => {
      try {
        const { messageId, responseId, settled } = await this.#around.calls.takeTurn(
          request,
          this.client.turns,
        );
        if (responseId) {
          this.#replies.expect(responseId);
          void settled.then(() => this.#replies.isSettled(responseId));
        }
        const sound = samples && { samples, sampleRate: HEARING_SAMPLE_RATE };
        if (sound) this.#around.keepUtterance(userId, { id: messageId, conversationId }, sound);
      } catch (error) {
        this.#unexpected(error);
        this.client.refused(conversationId, error, { clientMessageId, text });
      }
    });
  }

  #takeStanding(): void {
    if (this.#isHandsFree && this.#standing !== null)
      this.#take({ text: this.#standing, samples: null, continues: this.#goesOn });
  }

  async #lookUp(responseId: string): Promise<void> {
    const { userId, conversationId } = this.request;
    try {
      const words = await this.#around.calls.wordsOf(userId, conversationId, responseId);
      if (words && this.#loudspeaker.responseId === responseId) this.#turnTaking?.agentSays(words);
    } catch (error) {
      this.#unexpected(error);
    }
  }

  #failed(message: string, fatal: boolean): void {
    const failure = unavailable(message);
    if (this.#closed) {
      this.#lastTrouble = failure;
      return;
    }
    if (fatal) return void this.stop(failure);
    const now = this.#around.now();
    if (this.#trouble?.message === message && now - this.#trouble.at < TROUBLE_MS) return;
    this.#trouble = { message, at: now };
    this.client.refused(this.request.conversationId, failure);
  }

  #unexpected(error: unknown): void {
    if (!(error instanceof AppError)) this.#around.onUnexpected(error);
  }
}
