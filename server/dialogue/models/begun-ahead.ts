import { within } from '#server/lib/wait';

/** Longer than any source needs to stop, in milliseconds. */
const STOPPING_MS = 1_000;

/**
 * Takes items as they come and begins work on each at once, while the consumer may still wait for an earlier one.
 * @param stop ends the source: called when the consumer stops
 * @yields each item with its work, in order
 * @throws errors of the source, after the items before them
 */
export async function* begunAhead<Item, Work>(
  items: AsyncIterable<Item>,
  begin: (item: Item) => Work,
  stop: () => void,
): AsyncGenerator<{ item: Item; work: Work }> {
  const waiting: { item: Item; work: Work }[] = [];
  let end: { error?: unknown } | null = null;
  let wake = () => {};
  const bring = async () => {
    try {
      for await (const item of items) {
        waiting.push({ item, work: begin(item) });
        wake();
      }
      end = {};
    } catch (error) {
      end = { error };
    }
    wake();
  };
  const brought = bring();
  try {
    for (;;) {
      const next = waiting.shift();
      if (next) {
        yield next;
        continue;
      }
      if (ended(end)) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (waiting.length > 0 || ended(end)) resolve();
      });
    }
    const how = ended(end);
    if (how && 'error' in how) throw how.error;
  } finally {
    stop();
    // Its use is counted by then.
    await within(STOPPING_MS, brought);
  }
}

/** It is set elsewhere, which the compiler cannot see. */
const ended = (end: { error?: unknown } | null) => end;
