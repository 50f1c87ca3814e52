import { durationMs, type Sound } from '#server/audio/sound';
import type { Sentence } from '#server/dialogue/contract';
import { untilAborted } from '#server/lib/wait';
import { eager } from './eager.ts';
import type { GivenReply, ResponderEvent } from './responder.ts';
import type { ReplyVoice, SpokenWords } from './voice.ts';

/**
 * A sentence as it reaches the customer, or a separately spoken phrase, which counts as one. `speech` is null if it
 * comes as text only.
 */
export interface SpokenSentence extends Sentence {
  speech: Sound | null;
}

interface SpeakOptions<R extends GivenReply> extends ReplyVoice {
  /** The next one waits until it is out. */
  emit(sentence: SpokenSentence): void | Promise<void>;
  /**
   * Waits until more than the first words should be made.
   * @param aheadMs unplayed sound, in milliseconds
   * @throws the signal's reason
   */
  past?(aheadMs: number, signal: AbortSignal): Promise<void>;
  /** The whole reply is made; much of it may not be spoken yet. */
  onMade?(whole: R): void;
  /** Sentences spoken ahead of the last emitted one. */
  lookAhead: number;
  signal: AbortSignal;
}

/**
 * Speaks each sentence of a reply while the next one is being made, and emits them strictly in order, each phrase as
 * soon as it is spoken. A sentence without speech is emitted when all before it are out.
 * @returns the whole reply; null if there is none
 * @throws errors of the reply's source, or the signal's reason
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
  /** Emitted sentences, and their phrases. */
  #emitted = 0;
  #phrases = 0;
  #whole: R | null = null;
  #isComplete = false;
  #isBeingMade = false;
  /** When the emitted sound will have been played, if playing began at once. */
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

  /** One sentence after another: the phrases of an earlier one come before the next one's. */
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

/** Resolves when all of it is present, or no more will come. */
async function endOf(words: AsyncIterable<SpokenWords> | null): Promise<void> {
  try {
    for await (const { isLast } of words ?? []) if (isLast) return;
  } catch {
    // The consumer gets the error.
  }
}

async function* inText({ text }: Sentence): AsyncGenerator<SpokenWords> {
  yield { text, speech: null, isLast: true };
}
