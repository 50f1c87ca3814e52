import { joinSounds, type Sound } from '#server/audio/sound';
import type { Sentence } from '#server/dialogue/contract';
import type { SynthesisEngine, SynthesisRequest } from '#server/engines/synthesis/contract';
import { untilAborted, within } from '#server/lib/wait';
import { WaitingLine } from '#server/lib/waiting-line';

interface VoiceOptions {
  /** Time for a phrase before the rest of its sentence comes as text only. */
  sentenceTimeoutMs: number;
  /** How long words on a screen may wait for a voice that others wait for, too. */
  readWaitMs: number;
  /** Whether so many listeners wait for first words that texts come first. */
  isCrowded?(): boolean;
  /** Called with the reason when a sentence could not be spoken; the customer just reads the text. */
  onFailure(error: unknown): void;
}

/** Words of a sentence as they are spoken; `speech` is null if they come as text only. */
export interface SpokenWords {
  text: string;
  speech: Sound | null;
  /** The sentence ends with them. */
  isLast: boolean;
}

/** Speaks the sentences of one reply. */
export interface ReplyVoice {
  /** @returns all words of a sentence as they are spoken, in order; null: text only */
  say(sentence: Sentence): AsyncIterable<SpokenWords> | null;
}

/** The voice of a reply, and its result. */
export interface OwnVoice extends ReplyVoice {
  /** The voice was busy with others for so long that the reply comes as text only. */
  readonly isBusy: boolean;
  /**
   * Waits before more of it is spoken. Words on a screen wait no longer than for the voice itself: then the rest is
   * text.
   * @throws errors of the promise
   */
  waitFor(others: Promise<void>): Promise<void>;
}

/** The patience of a reply on a screen. */
interface Patience {
  /** When its first words stop waiting behind others, by `performance.now()`. */
  until: number;
  /** Makes the rest of it text only. */
  giveWay(): void;
  givenWay: AbortSignal;
}

/** Options of `speak` besides its request. */
interface SpeakOptions {
  onTimeout?(): void;
  patience?: Patience | null;
  /** Aborts when no listener waits for it any more; begun speech is finished for the cache when the voice is idle. */
  nobodyWaits?: AbortSignal;
}

/**
 * The share of the reading patience left for the voice once a first sentence is there, and for a phrase that it has
 * begun; also the work for others below which they do not count as waiting.
 */
const LEAST_SHARE = 1 / 3;
/** Until the first phrase: milliseconds per character, on two cores. */
const GUESSED_PACE = 4;
/** Weight of the newest phrase in the pace. */
const NEWEST = 0.1;
/** A faster result came from the cache. */
const REMEMBERED_MS = 20;

/** The synthesis engine for calls: it may be slow, broken or absent, but no call fails for that. */
export class Voice {
  readonly #engine: SynthesisEngine;
  readonly #options: VoiceOptions;
  readonly #line = new WaitingLine();
  /** Characters of all sentences begun and awaited. */
  #unspoken = 0;
  /** Only one text at a time is finished for the cache: more would pile up while the voice has other work. */
  #isFinishing = false;
  /** Called when no listener waits for other speech. */
  #onIdle = () => {};
  /** Milliseconds per character of them. */
  #pace = GUESSED_PACE;
  #lastSpokenAt = Number.NEGATIVE_INFINITY;

  constructor(engine: SynthesisEngine, options: VoiceOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  /** How long new first words would wait for those of others, in milliseconds. */
  get waitMs(): number {
    return this.#line.waitMs;
  }

  /** Time for all speech requested so far, in milliseconds. */
  get #workMs(): number {
    return this.#unspoken * this.#pace;
  }

  get isReady(): boolean {
    return this.#engine.status().state === 'ready';
  }

  /**
   * The voice of one reply: once it was too slow for a sentence, the others do not wait for it.
   * @param isRead the customer types and reads: the words, and all after them, do not wait behind others' words
   */
  forReply(language: string, signal: AbortSignal, isRead = false): OwnVoice {
    let isTooSlow = false;
    let isBusy = false;
    const way = new AbortController();
    const { readWaitMs } = this.#options;
    const begunAt = performance.now();
    let until: number | null = null;
    const giveWay = () => {
      isBusy = true;
      way.abort(new Error('Others wait for the voice.'));
    };
    return {
      get isBusy() {
        return isBusy;
      },
      async waitFor(others) {
        let isOver = false;
        const waiting = others.then(() => {
          isOver = true;
        });
        if (!isRead) return waiting;
        await within(Math.max(0, (until ?? begunAt + readWaitMs) - performance.now()), waiting);
        if (!isOver) giveWay();
      },
      say: ({ text, index }) => {
        if (isTooSlow || isBusy || !this.isReady) return null;
        const isFirst = index === 0;
        // The dialogue's time is not only the voice's fault.
        until ??= Math.max(begunAt + readWaitMs, performance.now() + readWaitMs * LEAST_SHARE);
        const patienceMs = isFirst ? until - performance.now() : readWaitMs;
        // A reply that begins now keeps the voice until all of it is spoken, and turns others into text later.
        const wouldWait = Math.max(this.#line.waitMs, this.#workMs) > patienceMs;
        if (isRead && (wouldWait || (isFirst && this.#options.isCrowded?.()))) {
          isBusy = true;
          return null;
        }
        const urgency = isFirst ? 'first' : 'later';
        const request = { text, language, urgency, firstWordsSoon: isFirst } as const;
        const onTimeout = () => {
          isTooSlow = true;
        };
        const patience = isRead ? { until, giveWay, givenWay: way.signal } : null;
        return this.speak(request, signal, { onTimeout, patience });
      },
    };
  }

  /**
   * Speaks a text, phrase by phrase, each on demand. Phrases that cannot be spoken, or take too long, come as text
   * only: all words together are always the text.
   * @throws only the signal's reason
   */
  async *speak(
    request: Omit<SynthesisRequest, 'signal'>,
    signal: AbortSignal,
    { onTimeout = () => {}, patience = null, nobodyWaits }: SpeakOptions = {},
  ): AsyncGenerator<SpokenWords> {
    signal.throwIfAborted();
    const limit = new AbortController();
    const place = request.urgency === 'first' ? this.#line.join() : null;
    let rest = request.text;
    let counted = 0;
    const count = (characters: number) => {
      this.#count(characters - counted);
      counted = characters;
    };
    count(rest.length);
    const leastMs = this.#options.readWaitMs * LEAST_SHARE;
    const giveWay = () => {
      const isFirst = rest === request.text && place;
      const othersMs = (this.#unspoken - rest.length) * this.#pace;
      if (isFirst ? !place.isNext : othersMs > leastMs) patience?.giveWay();
    };
    const onAbort = () => limit.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const onGivenWay = () => limit.abort(patience?.givenWay.reason);
    patience?.givenWay.addEventListener('abort', onGivenWay, { once: true });
    let isFinishing = false;
    const onNobodyWaits = () => {
      const isBegun = rest !== request.text || place?.isNext === true;
      if (!isBegun || this.#isFinishing) return limit.abort(nobodyWaits?.reason);
      isFinishing = this.#isFinishing = true;
      place?.leave(false);
      count(0);
    };
    nobodyWaits?.addEventListener('abort', onNobodyWaits, { once: true });
    let losingPatience: NodeJS.Timeout | undefined;
    try {
      const phrases = this.#engine.synthesize({ ...request, signal: limit.signal })[Symbol.asyncIterator]();
      for (let isFirst = place !== null; ; isFirst = false) {
        if (isFinishing) await untilAborted(this.#idle(), limit.signal);
        const leftMs = patience ? patience.until - performance.now() : 0;
        if (!isFirst && leftMs <= 0) giveWay();
        if (patience) losingPatience = setTimeout(giveWay, isFirst ? leftMs : Math.max(leftMs, leastMs));
        const askedAt = performance.now();
        const step = await this.#inTime(phrases.next(), limit, onTimeout);
        clearTimeout(losingPatience);
        place?.leave(true);
        if (step.done) break;
        const { text } = step.value;
        this.#learnPace(askedAt, text.length);
        if (!rest.startsWith(text)) throw new Error('The voice spoke other words than it was asked to.');
        rest = rest.slice(text.length).trimStart();
        if (!isFinishing) count(rest.length);
        yield { text, speech: step.value, isLast: rest === '' };
      }
    } catch (error) {
      signal.throwIfAborted();
      const isDropped = nobodyWaits?.aborted && error === nobodyWaits.reason;
      if (!patience?.givenWay.aborted && !isDropped) this.#options.onFailure(error);
    } finally {
      clearTimeout(losingPatience);
      place?.leave(false);
      count(0);
      if (isFinishing) this.#isFinishing = false;
      signal.removeEventListener('abort', onAbort);
      patience?.givenWay.removeEventListener('abort', onGivenWay);
      nobodyWaits?.removeEventListener('abort', onNobodyWaits);
      limit.abort(new Error('Nobody listens any more.'));
    }
    if (rest !== '') yield { text: rest, speech: null, isLast: true };
  }

  #count(characters: number): void {
    this.#unspoken += characters;
    if (this.#unspoken === 0) this.#onIdle();
  }

  /** Resolves when all awaited speech is done; used by the one text that is finished for the cache. */
  async #idle(): Promise<void> {
    if (this.#unspoken === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  /** Phrases are made one after another: each took the time since the one before, or since its request. */
  #learnPace(askedAt: number, characters: number): void {
    const now = performance.now();
    const tookMs = now - Math.max(askedAt, this.#lastSpokenAt);
    this.#lastSpokenAt = now;
    if (tookMs >= REMEMBERED_MS) this.#pace += NEWEST * (tookMs / Math.max(1, characters) - this.#pace);
  }

  /**
   * Speaks a text in one piece if that is quick: not while others wait for the voice, and at most for `patienceMs`,
   * then returns null. Begun speech is then finished when the voice is idle, so that the engine caches it. Never
   * rejects.
   */
  async speakWithin(text: string, language: string, patienceMs: number): Promise<Sound | null> {
    if (!this.isReady || this.waitMs > patienceMs) return null;
    const listening = new AbortController();
    const sound = await within(
      patienceMs,
      this.#speakWhole({ text, language, urgency: 'first' }, listening.signal),
    );
    listening.abort(new Error('Nobody waits for it any more.'));
    return sound ?? null;
  }

  /** @returns null if part of it could not be spoken */
  async #speakWhole(
    request: Omit<SynthesisRequest, 'signal'>,
    nobodyWaits: AbortSignal,
  ): Promise<Sound | null> {
    const sounds: Sound[] = [];
    for await (const { speech } of this.speak(request, new AbortController().signal, { nobodyWaits })) {
      if (!speech) return null;
      sounds.push(speech);
    }
    return joinSounds(sounds);
  }

  async #inTime<T>(promise: Promise<T>, limit: AbortController, onTimeout: () => void): Promise<T> {
    const overdue = setTimeout(() => {
      onTimeout();
      limit.abort(new Error('Speaking a sentence took too long.'));
    }, this.#options.sentenceTimeoutMs);
    try {
      return await untilAborted(promise, limit.signal);
    } finally {
      clearTimeout(overdue);
    }
  }
}
