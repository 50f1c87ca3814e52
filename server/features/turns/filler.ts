import { within } from '#server/lib/wait';
import type { ResponderEvent } from './responder.ts';

/** When somebody who waits is told that it takes a moment, in milliseconds. Of 1.2 s of silence endpointing takes the first third of a second. */
export const FILLER_AFTER_MS = { spoken: 900, typed: 1_200 } as const;

/**
 * A reply that keeps its listener waiting begins with a few words that say so. They are its first sentence: what was said
 * is stored.
 * @param filler said when nothing has come after `afterMs`
 * @param onFiller told that it is said: the reply's own sentences count from 1 then
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
