import { within } from '#server/lib/wait';

/** Longer than anything needs that hears that it is to stop, in milliseconds. */
const STOPPING_MS = 1_000;

/**
 * Takes items as they come and begins work on each at once, while whoever takes them may still wait for the work on an earlier one.
 * @param stop ends what brings the items: called when nobody takes any more
 * @yields each item with its work, in order
 * @throws what brings the items throws, behind those that came before
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
    // What is counted of it is counted by then.
    await within(STOPPING_MS, brought);
  }
}

/** It is set elsewhere, which the compiler cannot see. */
const ended = (end: { error?: unknown } | null) => end;
