import type { ReplyEvent, WholeReply } from '#server/dialogue/contract';
import type { Speech } from '#server/engines/synthesis/contract';
import { untilAborted } from './until-aborted.ts';

export interface Sentence {
  /** Counts from 0 within one reply. */
  index: number;
  text: string;
  isLast: boolean;
}

/** A sentence as it reaches the customer; `speech` is null when it comes as text alone. */
export interface SpokenSentence extends Sentence {
  speech: Speech | null;
}

export interface SpeakOptions {
  /** Speaks a sentence; null means text alone. It degrades to null by itself and rejects only when aborted. */
  say(sentence: Sentence): Promise<Speech | null> | null;
  emit(sentence: SpokenSentence): void;
  /** The dialogue has made the whole reply; much of it may not be spoken yet. */
  onMade?(whole: WholeReply): void;
  /** How many sentences beyond the last one emitted may be spoken ahead. */
  lookAhead: number;
  signal: AbortSignal;
}

/**
 * Speaks each sentence of a reply while the next one is being made, and emits them strictly in order.
 * A sentence without speech is emitted the moment everything before it is out.
 * @returns the whole reply
 * @throws what the reply's maker throws, or the signal's reason
 */
export async function speakInOrder(
  events: AsyncIterable<ReplyEvent>,
  { say, emit, onMade, lookAhead, signal: outer }: SpeakOptions,
): Promise<WholeReply> {
  const arrived: Sentence[] = [];
  const speeches: (Promise<Speech | null> | null)[] = [];
  let emitted = 0;
  let whole: WholeReply | null = null;
  let complete = false;
  let wake = () => {};

  const stop = new AbortController();
  const onOuterAbort = () => stop.abort(outer.reason);
  if (outer.aborted) onOuterAbort();
  else outer.addEventListener('abort', onOuterAbort, { once: true });

  const startAhead = () => {
    for (let next = arrived[speeches.length]; next && speeches.length < emitted + lookAhead; ) {
      const speech = say(next);
      speech?.catch(() => {});
      speeches.push(speech);
      next = arrived[speeches.length];
    }
  };

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

  const speak = async () => {
    for (;;) {
      const sentence = arrived[emitted];
      if (sentence) {
        const pending = speeches[emitted] ?? null;
        const speech = pending && (await untilAborted(pending, stop.signal));
        stop.signal.throwIfAborted();
        emit({ index: sentence.index, text: sentence.text, isLast: sentence.isLast, speech });
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
  if (!whole) throw new Error('The dialogue ended without a whole reply.');
  return whole;
}
