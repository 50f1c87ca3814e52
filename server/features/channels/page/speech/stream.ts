import { fromPcm16 } from '#server/audio/pcm16';
import { Resampler } from '#server/audio/resampler';
import { HEARING_SAMPLE_RATE } from '#server/engines/recognition/contract';
import type { ReplySentence } from '#server/features/floor/surroundings';
import type { FinishedReply } from '#server/features/turns/call-events';
import { type AppError, conflict, inItsWords, unavailable } from '#server/lib/errors';
import type { TurnTaking, TurnTakingOptions } from '#server/listening/contract';
import { Dictation } from './dictation.ts';
import type { Hearing, HearingContext, SpeakingClient, SpeechRequest } from './hearing.ts';
import { Pace, tooFast } from './pace.ts';
import type { SoundChunk } from './sound.ts';
import { SpokenCall } from './spoken-call.ts';

/** Hands-free sound from a lost connection may come at once; older utterances are useless by then. */
const AHEAD_MS = 30_000;
/** Sound that may wait for slow ears; they drop sound beyond 30 s. */
const BACKLOG_MS = 24_000;
/** A whole push to talk may be sent after it was spoken. */
const RECORDED_SPEED = 10;
/** Time to recognise the last sound, however much of it waits. */
const LAST_WORDS_MS = 60_000;
/** The same problem is reported again after this time. */
const TROUBLE_MS = 30_000;

export interface SpeechSurroundings
  extends Pick<HearingContext, 'calls' | 'silence' | 'keepUtterance' | 'onUnexpected' | 'now'> {
  listen(options: Pick<TurnTakingOptions, 'mode' | 'language' | 'listener'>): TurnTaking;
}

/** One open microphone: passes its sound, in order and at its pace, to the mode's handler. */
export class SpeechStream {
  readonly request: SpeechRequest;
  readonly #client: SpeakingClient;
  readonly #around: SpeechSurroundings;
  readonly #onFinished: () => void;
  readonly #pace: Pace;
  readonly #resampler: Resampler;
  readonly #hearing: Hearing;
  /** Sound from before the stream was open. */
  #early: Float32Array[] = [];
  /** Resolves when it is open, or never will be. */
  readonly #opened: Promise<void>;
  #isOpened = () => {};
  #turnTaking: TurnTaking | null = null;
  #nextIndex = 0;
  #closed: AppError | null = null;
  #isFinished = false;
  /** Resolves when a requested end is over. */
  #ending: Promise<unknown> = Promise.resolve();
  #trouble: { message: string; at: number } | null = null;
  /** The error of the last recognition. */
  #lastTrouble: AppError | null = null;

  /** @param onFinished called once, when it no longer counts against the limits */
  constructor(
    request: SpeechRequest,
    client: SpeakingClient,
    around: SpeechSurroundings,
    onFinished: () => void,
  ) {
    this.request = request;
    this.#client = client;
    this.#around = around;
    this.#onFinished = onFinished;
    this.#opened = new Promise((resolve) => {
      this.#isOpened = resolve;
    });
    const isHandsFree = request.mode === 'hands-free';
    const speed = isHandsFree ? 1 : RECORDED_SPEED;
    this.#pace = new Pace({ aheadMs: AHEAD_MS, speed, now: () => around.now() });
    this.#resampler = new Resampler(request.sampleRate, HEARING_SAMPLE_RATE);
    const context: HearingContext = {
      request,
      client,
      calls: around.calls,
      silence: around.silence,
      agentSays: (...said) => this.#turnTaking?.agentSays(...said),
      keepUtterance: around.keepUtterance,
      onUnexpected: around.onUnexpected,
      now: around.now,
    };
    this.#hearing = isHandsFree ? new SpokenCall(context) : new Dictation(context);
  }

  /** Why it accepts no more sound; null while it does. */
  get closed(): AppError | null {
    return this.#closed;
  }

  /**
   * Begins to listen, starting with sound that has already come.
   * @param language of the customer (BCP 47)
   */
  open(language: string): void {
    if (this.#isFinished) return;
    const turnTaking = this.#around.listen({
      mode: this.request.mode,
      language,
      listener: {
        ...this.#hearing.listener,
        failed: (message, fatal) => this.#failed(message, fatal),
      },
    });
    this.#turnTaking = turnTaking;
    this.#hearing.open();
    for (const samples of this.#early.splice(0)) turnTaking.accept(this.#resampler.push(samples));
    this.#isOpened();
  }

  /** @throws AppError for refused sound; the stream continues unless some of it is missing */
  accept({ pcm, index }: SoundChunk): void {
    if (this.#closed) throw this.#closed;
    if (index !== null && index < this.#nextIndex) return;
    if (index !== null && index > this.#nextIndex) {
      const lost = conflict('calls.sound-lost');
      void this.stop(lost);
      throw lost;
    }
    const durationMs = (pcm.byteLength / 2 / this.request.sampleRate) * 1000;
    const waitingMs = this.#turnTaking?.waitingMs ?? 0;
    if (waitingMs > 0 && waitingMs + durationMs > BACKLOG_MS) throw tooFast(waitingMs);
    this.#pace.admit(durationMs);
    if (index !== null) this.#nextIndex++;
    const samples = fromPcm16(pcm);
    if (this.#turnTaking) this.#turnTaking.accept(this.#resampler.push(samples));
    else this.#early.push(samples);
  }

  playback(responseId: string | null): void {
    if (!this.#isFinished) this.#hearing.playback(responseId);
  }

  sentence(sentence: ReplySentence): void {
    if (!this.#isFinished) this.#hearing.sentence(sentence);
  }

  replied(reply: FinishedReply): void {
    if (!this.#isFinished) this.#hearing.replied(reply);
  }

  /**
   * Ends the sound.
   * @param discard drops speech that is not taken yet
   * @returns the text of a push to talk
   * @throws AppError unavailable if recognition failed
   */
  async end(discard: boolean): Promise<string> {
    if (this.#closed) return '';
    this.#closed = notSpeaking();
    const ending = this.#end(discard);
    this.#ending = ending.catch(() => {});
    return ending;
  }

  async #end(discard: boolean): Promise<string> {
    await this.#opened;
    if (this.#isFinished) return '';
    if (!discard) await this.#lastWords();
    this.#finish(false);
    await this.#hearing.settled();
    if (discard) return '';
    if (this.#lastTrouble && !this.#hearing.understood) throw this.#lastTrouble;
    return this.#hearing.conclude();
  }

  /** Ends the stream from our side with a reason; takes the speech so far. */
  async stop(why: AppError): Promise<void> {
    if (this.#closed) return;
    this.#closed = why;
    await this.#opened;
    await this.#lastWords();
    this.#finish(true);
    await this.#hearing.settled();
    this.#client.ended(this.request.conversationId, why, this.#hearing.understood || undefined);
  }

  /** Ends the stream of a conversation that accepts no more. */
  cut(why: AppError): void {
    if (this.#closed) return;
    this.refuse(why);
    this.#client.ended(this.request.conversationId, why, undefined);
  }

  /** It was never opened: the requester gets the error elsewhere. */
  refuse(why: AppError): void {
    this.#closed ??= why;
    this.#finish(false);
  }

  /**
   * The client has gone, or speaks elsewhere: takes its complete hands-free utterances and drops the current one. A
   * stream that is ending already is not interrupted.
   */
  leave(): void {
    if (this.#closed) return;
    this.#closed = notSpeaking();
    this.#finish(true);
  }

  /** As `leave`. Resolves when taken utterances are stored or refused. */
  async handOver(): Promise<void> {
    this.leave();
    await this.#ending;
    await this.#hearing.settled();
  }

  async #lastWords(): Promise<void> {
    let overdue: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      overdue = setTimeout(resolve, LAST_WORDS_MS);
    });
    await Promise.race([this.#turnTaking?.end(), limit]);
    clearTimeout(overdue);
  }

  #finish(takesStanding: boolean): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#turnTaking?.close();
    this.#turnTaking = null;
    this.#early = [];
    this.#isOpened();
    this.#hearing.close(takesStanding);
    this.#onFinished();
  }

  #failed(message: string, fatal: boolean): void {
    const failure = unavailable(inItsWords({ message }));
    if (this.#closed) {
      this.#lastTrouble = failure;
      return;
    }
    if (fatal) return void this.stop(failure);
    const now = this.#around.now();
    if (this.#trouble?.message === message && now - this.#trouble.at < TROUBLE_MS) return;
    this.#trouble = { message, at: now };
    this.#client.refused(this.request.conversationId, failure);
  }
}

const notSpeaking = () => conflict('calls.not-speaking');
