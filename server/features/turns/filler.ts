import { within } from '#server/lib/wait';
import type { ResponderEvent } from './responder.ts';

/**
 * How long a customer waits before a filler, in milliseconds. Endpointing takes the first third of a second of 1.2 s of
 * silence.
 */
export const FILLER_AFTER_MS = { spoken: 900, typed: 1_200 } as const;

/**
 * Starts a slow reply with a few filler words as its first sentence: filler words are stored.
 * @param filler said if there is no event after `afterMs`
 * @param onFiller called when it is said: the reply's own sentences then count from 1
 */
export async function* withFiller(
  events: AsyncIterable<ResponderEvent>,
  filler: string,
  onFiller = () => {},
  afterMs: number = FILLER_AFTER_MS.spoken,
): AsyncGenerator<ResponderEvent> {
  const steps = events[Symbol.asyncIterator]();
  let isOver = false;
  try {
    let next = steps.next();
    const isSlow = (await within(afterMs, next.then(Boolean, Boolean))) === undefined;
    if (isSlow) {
      onFiller();
      yield { type: 'sentence', index: 0, text: filler, isLast: false };
    }
    for (;;) {
      const step = await next;
      if (step.done) break;
      yield isSlow ? behind(filler, step.value) : step.value;
      next = steps.next();
    }
    isOver = true;
  } finally {
    if (!isOver) void Promise.resolve(steps.return?.()).catch(() => {});
  }
}

const behind = (filler: string, event: ResponderEvent): ResponderEvent =>
  event.type === 'sentence'
    ? { ...event, index: event.index + 1 }
    : { ...event, text: `${filler} ${event.text}` };
