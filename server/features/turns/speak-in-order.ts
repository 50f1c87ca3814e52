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
  { say, emit, past, onMade, lookAhead, signal: outer }: SpeakOptions<R>,
): Promise<R | null> {
  const arrived: Sentence[] = [];
  const speeches: (AsyncIterable<SpokenWords> | null)[] = [];
  /** Sentences that are out, and the phrases they came in. */
  let emitted = 0;
  let phrases = 0;
  let whole: R | null = null;
  let complete = false;
  let isBeingMade = false;
  /** When what is out will have been played, if it was begun at once. */
  let playedAt = performance.now();
  let wake = () => {};

  const stop = new AbortController();
  const onOuterAbort = () => stop.abort(outer.reason);
  if (outer.aborted) onOuterAbort();
  else outer.addEventListener('abort', onOuterAbort, { once: true });

  /** One sentence after the other: the phrases of one that is heard sooner come before the next one's. */
  const startAhead = () => {
    const next = arrived[speeches.length];
    if (!next || isBeingMade || stop.signal.aborted || speeches.length >= emitted + lookAhead) return;
    const words = say(next);
    const speech = words && eager(inTime(words, speeches.length === 0));
    speeches.push(speech);
    isBeingMade = true;
    void endOf(speech).then(() => {
      isBeingMade = false;
      startAhead();
    });
  };

  async function* inTime(words: AsyncIterable<SpokenWords>, isFirst: boolean): AsyncGenerator<SpokenWords> {
    const steps = words[Symbol.asyncIterator]();
    for (let isOver = false, n = 0; !isOver; n++) {
      if (!isFirst || n > 0) await past?.(playedAt - performance.now(), stop.signal);
      const step = await steps.next();
      if (step.done) return;
      yield step.value;
      isOver = step.value.isLast;
    }
  }

  const listen = async () => {
    const iterator = events[Symbol.asyncIterator]();
    try {
      for (;;) {
        const step = await untilAborted(iterator.next(), stop.signal);
        if (step.done) break;
        if (step.value.type === 'reply') {
          whole = step.value;
          onMade?.(whole);
        } else {
          arrived.push(step.value);
          startAhead();
        }
        wake();
      }
      complete = true;
      wake();
    } finally {
      if (!complete) void Promise.resolve(iterator.return?.()).catch(() => {});
    }
  };

  const tell = async (sentence: Sentence, words: AsyncIterable<SpokenWords>) => {
    const steps = words[Symbol.asyncIterator]();
    for (let isOver = false; !isOver; ) {
      const step = await untilAborted(steps.next(), stop.signal);
      stop.signal.throwIfAborted();
      if (step.done) return;
      const { text, speech, isLast } = step.value;
      if (speech) playedAt = Math.max(playedAt, performance.now()) + durationMs(speech);
      const ending =
        isLast && sentence.isLast ? { isLast, expects: sentence.expects ?? null } : { isLast: false };
      await untilAborted(Promise.resolve(emit({ index: phrases++, text, speech, ...ending })), stop.signal);
      isOver = isLast;
    }
  };

  const speak = async () => {
    for (;;) {
      const sentence = arrived[emitted];
      if (sentence) {
        await tell(sentence, speeches[emitted] ?? inText(sentence));
        emitted++;
        startAhead();
      } else if (complete) return;
      else {
        const news = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await untilAborted(news, stop.signal);
      }
    }
  };

  const abandon = (error: unknown): never => {
    stop.abort(error);
    throw error;
  };
  try {
    await Promise.all([listen().catch(abandon), speak().catch(abandon)]);
  } finally {
    outer.removeEventListener('abort', onOuterAbort);
  }
  if (!whole && arrived.length > 0) throw new Error('The responder ended without a whole reply.');
  return whole;
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
