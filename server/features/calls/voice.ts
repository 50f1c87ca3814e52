import { joinSounds, type Sound } from '#server/audio/sound';
import type { Sentence } from '#server/dialogue/contract';
import type { SynthesisEngine, SynthesisRequest } from '#server/engines/synthesis/contract';
import { untilAborted } from '#server/wait';
import { VoiceLine } from './voice-line.ts';

interface VoiceOptions {
  /** How long a phrase may take before the rest of its sentence comes as text alone. */
  sentenceTimeoutMs: number;
  /** How long words that are read may wait for a voice that others wait for, too. */
  readWaitMs: number;
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
}

/** When words no longer wait behind others, by `performance.now()`, and who is told that they did not. */
interface Patience {
  until: number;
  onBusy(): void;
}

/** The synthesis engine as calls use it: it may be slow, broken or not there yet, and no call fails for that. */
export class Voice {
  readonly #engine: SynthesisEngine;
  readonly #options: VoiceOptions;
  readonly #line = new VoiceLine();

  constructor(engine: SynthesisEngine, options: VoiceOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  /** How long first words that are asked for now would wait for those of others, in milliseconds. */
  get waitMs(): number {
    return this.#line.waitMs;
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
    const { readWaitMs } = this.#options;
    const until = performance.now() + readWaitMs;
    const onBusy = () => {
      isBusy = true;
    };
    return {
      get isBusy() {
        return isBusy;
      },
      say: ({ text, index }) => {
        if (isTooSlow || isBusy || !this.isReady) return null;
        const isFirst = index === 0;
        const patienceMs = isFirst ? Math.max(0, until - performance.now()) : readWaitMs;
        if (isRead && this.#line.waitMs > patienceMs) {
          isBusy = true;
          return null;
        }
        const urgency = isFirst ? 'first' : 'later';
        const request = { text, language, urgency, firstWordsSoon: isFirst } as const;
        const onTimeout = () => {
          isTooSlow = true;
        };
        return this.speak(request, signal, onTimeout, isRead && isFirst ? { until, onBusy } : null);
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
    onTimeout = () => {},
    patience: Patience | null = null,
  ): AsyncGenerator<SpokenWords> {
    signal.throwIfAborted();
    const limit = new AbortController();
    const place = request.urgency === 'first' ? this.#line.join() : null;
    let hasGivenWay = false;
    const giveWay = () => {
      if (place?.isNext) return;
      hasGivenWay = true;
      patience?.onBusy();
      limit.abort(new Error('Others wait for the voice.'));
    };
    const losingPatience =
      patience && place ? setTimeout(giveWay, patience.until - performance.now()) : undefined;
    const onAbort = () => limit.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    let rest = request.text;
    try {
      const phrases = this.#engine.synthesize({ ...request, signal: limit.signal })[Symbol.asyncIterator]();
      for (;;) {
        const step = await this.#inTime(phrases.next(), limit, onTimeout);
        clearTimeout(losingPatience);
        place?.leave(true);
        if (step.done) break;
        const { text } = step.value;
        if (!rest.startsWith(text)) throw new Error('The voice spoke other words than it was asked to.');
        rest = rest.slice(text.length).trimStart();
        yield { text, speech: step.value, isLast: rest === '' };
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!hasGivenWay) this.#options.onFailure(error);
    } finally {
      clearTimeout(losingPatience);
      place?.leave(false);
      signal.removeEventListener('abort', onAbort);
      limit.abort(new Error('Nobody listens any more.'));
    }
    if (rest !== '') yield { text: rest, speech: null, isLast: true };
  }

  /**
   * Speaks a text in one piece if that is quick: not where others wait for the voice, and after `patienceMs` it answers null, and the engine goes on, so that it
   * remembers. Never rejects.
   */
  async speakWithin(text: string, language: string, patienceMs: number): Promise<Sound | null> {
    if (!this.isReady || this.waitMs > patienceMs) return null;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), patienceMs);
    });
    const spoken = await Promise.race([this.#speakWhole({ text, language, urgency: 'first' }), patience]);
    clearTimeout(timer);
    return spoken;
  }

  async #speakWhole(request: Omit<SynthesisRequest, 'signal'>): Promise<Sound | null> {
    const sounds: Sound[] = [];
    for await (const { speech } of this.speak(request, new AbortController().signal)) {
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
