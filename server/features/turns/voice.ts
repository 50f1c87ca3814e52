import { joinSounds, type Sound } from '#server/audio/sound';
import type { Sentence } from '#server/dialogue/contract';
import type { SynthesisEngine, SynthesisRequest } from '#server/engines/synthesis/contract';
import { untilAborted, within } from '#server/lib/wait';
import { WaitingLine } from '#server/lib/waiting-line';

interface VoiceOptions {
  /** How long a phrase may take before the rest of its sentence comes as text alone. */
  sentenceTimeoutMs: number;
  /** How long words that are read may wait for a voice that others wait for, too. */
  readWaitMs: number;
  /** Whether so many wait for the first words of a reply that texts come first. */
  isCrowded?(): boolean;
  /** Told why a sentence could not be spoken; nobody else learns it, the customer reads the text. */
  onFailure(error: unknown): void;
}

/** Words of a sentence as they are spoken; `speech` is null where they come as text alone. */
export interface SpokenWords {
  text: string;
  speech: Sound | null;
  /** The sentence ends with them. */
  isLast: boolean;
}

/** Speaks the sentences of one reply. */
export interface ReplyVoice {
  /** @returns the words of a sentence as they are spoken, all of them, in order; null: it comes as text alone */
  say(sentence: Sentence): AsyncIterable<SpokenWords> | null;
}

/** The voice of a reply, and what became of it. */
export interface OwnVoice extends ReplyVoice {
  /** Others were waiting for the voice for so long that the reply comes as text alone. */
  readonly isBusy: boolean;
  /**
   * Waits before more of it is spoken. What is read waits no longer than it does for the voice: then the rest is text.
   * @throws what the promise does
   */
  waitFor(others: Promise<void>): Promise<void>;
}

/** Of a reply that is read. */
interface Patience {
  /** When its first words no longer wait behind others, by `performance.now()`. */
  until: number;
  /** Has the rest of it come as text. */
  giveWay(): void;
  givenWay: AbortSignal;
}

/** What `speak` may be told beside its request. */
interface SpeakOptions {
  onTimeout?(): void;
  patience?: Patience | null;
  /** Aborts when nobody waits for it any more; what was begun is finished for the next time, when nothing else is to do. */
  nobodyWaits?: AbortSignal;
}

/**
 * Of the time that words which are read wait, so much at least is left for the voice when a first sentence is there, and for
 * a phrase that it has begun; and so much may others have it do before they count as waiting.
 */
const LEAST_SHARE = 1 / 3;
/** Until something was spoken: what a character takes, in milliseconds, on two cores. */
const GUESSED_PACE = 4;
/** How much the newest phrase counts for the pace. */
const NEWEST = 0.1;
/** What is there sooner was remembered, and no work. */
const REMEMBERED_MS = 20;

/** The synthesis engine as calls use it: it may be slow, broken or not there yet, and no call fails for that. */
export class Voice {
  readonly #engine: SynthesisEngine;
  readonly #options: VoiceOptions;
  readonly #line = new WaitingLine();
  /** Of all sentences that were begun and somebody waits for, in characters. */
  #unspoken = 0;
  /** One text is finished for the next time: more would pile up while the voice has other work. */
  #isFinishing = false;
  /** Tells it that nobody waits for anything else. */
  #onIdle = () => {};
  /** What a character of them takes, in milliseconds. */
  #pace = GUESSED_PACE;
  #lastSpokenAt = Number.NEGATIVE_INFINITY;

  constructor(engine: SynthesisEngine, options: VoiceOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  /** How long first words that are asked for now would wait for those of others, in milliseconds. */
  get waitMs(): number {
    return this.#line.waitMs;
  }

  /** How long it has to do with all that it was asked to speak, in milliseconds. */
  get #workMs(): number {
    return this.#unspoken * this.#pace;
  }

  get isReady(): boolean {
    return this.#engine.status().state === 'ready';
  }

  /**
   * The voice of one reply: once it was too slow for a sentence, the others are not kept waiting for it.
   * @param isRead the customer types and reads: words do not wait behind those of others, and none that follow do
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
        // What the dialogue took is not the voice's fault alone.
        until ??= Math.max(begunAt + readWaitMs, performance.now() + readWaitMs * LEAST_SHARE);
        const patienceMs = isFirst ? until - performance.now() : readWaitMs;
        // Who begins now keeps the voice until all of it is spoken, and what others began comes as text later.
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
   * Speaks a text, phrase by phrase, each when it is asked for. What cannot be spoken, or takes too long, comes as text
   * alone: whatever happens, the words put together are the text.
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

  /** Resolves when it has spoken all that somebody waits for; asked by the one text that is finished. */
  async #idle(): Promise<void> {
    if (this.#unspoken === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  /** Phrases are made one after the other: each took since the one before, or since it was asked for. */
  #learnPace(askedAt: number, characters: number): void {
    const now = performance.now();
    const tookMs = now - Math.max(askedAt, this.#lastSpokenAt);
    this.#lastSpokenAt = now;
    if (tookMs >= REMEMBERED_MS) this.#pace += NEWEST * (tookMs / Math.max(1, characters) - this.#pace);
  }

  /**
   * Speaks a text in one piece if that is quick: not where others wait for the voice, and after `patienceMs` it answers
   * null. What was begun is then finished when there is nothing else to say, so that the engine remembers it. Never rejects.
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

  /** @returns null where not all of it could be spoken */
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
