import { durationMs, type Sound } from '#server/audio/sound';
import type { Sentence } from '#server/dialogue/contract';
import { untilAborted } from '#server/lib/wait';
import { eager } from './eager.ts';
import type { GivenReply, ResponderEvent } from './responder.ts';
import type { ReplyVoice, SpokenWords } from './voice.ts';

/**
 * A sentence as it reaches the customer, or a phrase of one that is spoken by itself and counts as one. `speech` is null
 * when it comes as text alone.
 */
export interface SpokenSentence extends Sentence {
  speech: Sound | null;
}

interface SpeakOptions<R extends GivenReply> extends ReplyVoice {
  /** The next one waits until it is out. */
  emit(sentence: SpokenSentence): void | Promise<void>;
  /**
   * Waits until more than the first words are to be made.
   * @param aheadMs sound that is out and was not played yet, in milliseconds
   * @throws the signal's reason
   */
  past?(aheadMs: number, signal: AbortSignal): Promise<void>;
  /** The whole reply is made; much of it may not be spoken yet. */
  onMade?(whole: R): void;
  /** How many sentences beyond the last one emitted may be spoken ahead. */
  lookAhead: number;
  signal: AbortSignal;
}

/**
 * Speaks each sentence of a reply while the next one is being made, and emits them strictly in order, each phrase the
 * moment it is spoken. What has no speech is emitted when everything before it is out.
 * @returns the whole reply; null where there is none
 * @throws what the reply's maker throws, or the signal's reason
 */
export async function speakInOrder<R extends GivenReply>(
  events: AsyncIterable<ResponderEvent<R>>,
  options: SpeakOptions<R>,
): Promise<R | null> {
  return new SpokenReply<R>(options).speak(events);
}

/** One reply on its way out. */
class SpokenReply<R extends GivenReply> {
  readonly #options: SpeakOptions<R>;
  readonly #arrived: Sentence[] = [];
  readonly #speeches: (AsyncIterable<SpokenWords> | null)[] = [];
  readonly #stop = new AbortController();
  /** Sentences that are out, and the phrases they came in. */
  #emitted = 0;
  #phrases = 0;
  #whole: R | null = null;
  #isComplete = false;
  #isBeingMade = false;
  /** When what is out will have been played, if it was begun at once. */
  #playedAt = performance.now();
  #wake = () => {};

  constructor(options: SpeakOptions<R>) {
    this.#options = options;
  }

  async speak(events: AsyncIterable<ResponderEvent<R>>): Promise<R | null> {
    const { signal } = this.#options;
    const onAbort = () => this.#stop.abort(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    const abandon = (error: unknown): never => {
      this.#stop.abort(error);
      throw error;
    };
    try {
      await Promise.all([this.#listen(events).catch(abandon), this.#emitAll().catch(abandon)]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
    if (!this.#whole && this.#arrived.length > 0)
      throw new Error('The responder ended without a whole reply.');
    return this.#whole;
  }

  async #listen(events: AsyncIterable<ResponderEvent<R>>): Promise<void> {
    const iterator = events[Symbol.asyncIterator]();
    try {
      for (;;) {
        const step = await untilAborted(iterator.next(), this.#stop.signal);
        if (step.done) break;
        if (step.value.type === 'reply') {
          this.#whole = step.value;
          this.#options.onMade?.(step.value);
        } else {
          this.#arrived.push(step.value);
          this.#startAhead();
        }
        this.#wake();
      }
      this.#isComplete = true;
      this.#wake();
    } finally {
      if (!this.#isComplete) void Promise.resolve(iterator.return?.()).catch(() => {});
    }
  }

  /** One sentence after the other: the phrases of one that is heard sooner come before the next one's. */
  #startAhead(): void {
    const { say, lookAhead } = this.#options;
    const next = this.#arrived[this.#speeches.length];
    if (!next || this.#isBeingMade || this.#stop.signal.aborted) return;
    if (this.#speeches.length >= this.#emitted + lookAhead) return;
    const words = say(next);
    const speech = words && eager(this.#inTime(words, this.#speeches.length === 0));
    this.#speeches.push(speech);
    this.#isBeingMade = true;
    void endOf(speech).then(() => {
      this.#isBeingMade = false;
      this.#startAhead();
    });
  }

  async *#inTime(words: AsyncIterable<SpokenWords>, isFirst: boolean): AsyncGenerator<SpokenWords> {
    const steps = words[Symbol.asyncIterator]();
    for (let isOver = false, n = 0; !isOver; n++) {
      if (!isFirst || n > 0)
        await this.#options.past?.(this.#playedAt - performance.now(), this.#stop.signal);
      const step = await steps.next();
      if (step.done) return;
      yield step.value;
      isOver = step.value.isLast;
    }
  }

  async #emitAll(): Promise<void> {
    for (;;) {
      const sentence = this.#arrived[this.#emitted];
      if (sentence) {
        await this.#emit(sentence, this.#speeches[this.#emitted] ?? inText(sentence));
        this.#emitted++;
        this.#startAhead();
      } else if (this.#isComplete) return;
      else {
        const news = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        await untilAborted(news, this.#stop.signal);
      }
    }
  }

  async #emit(sentence: Sentence, words: AsyncIterable<SpokenWords>): Promise<void> {
    const { signal } = this.#stop;
    const steps = words[Symbol.asyncIterator]();
    for (let isOver = false; !isOver; ) {
      const step = await untilAborted(steps.next(), signal);
      signal.throwIfAborted();
      if (step.done) return;
      const { text, speech, isLast } = step.value;
      if (speech) this.#playedAt = Math.max(this.#playedAt, performance.now()) + durationMs(speech);
      const ending =
        isLast && sentence.isLast ? { isLast, expects: sentence.expects ?? null } : { isLast: false };
      const emitting = this.#options.emit({ index: this.#phrases++, text, speech, ...ending });
      await untilAborted(Promise.resolve(emitting), signal);
      isOver = isLast;
    }
  }
}

/** Resolves when all of it is there, or nothing more will be. */
async function endOf(words: AsyncIterable<SpokenWords> | null): Promise<void> {
  try {
    for await (const { isLast } of words ?? []) if (isLast) return;
  } catch {
    // Whoever listens is told.
  }
}

async function* inText({ text }: Sentence): AsyncGenerator<SpokenWords> {
  yield { text, speech: null, isLast: true };
}
