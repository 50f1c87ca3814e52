/**
 * Reads a stream at once, without waiting for an iterator. Iterating it yields all items from the beginning, and then
 * its error.
 */
export function eager<T>(source: AsyncIterable<T>): AsyncIterable<T> {
  const items: T[] = [];
  let end: { failure: unknown } | 'complete' | null = null;
  let tell = () => {};
  let news = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const isThere = () => {
    tell();
    news = new Promise((resolve) => {
      tell = resolve;
    });
  };

  const read = async () => {
    try {
      for await (const item of source) {
        items.push(item);
        isThere();
      }
      end = 'complete';
    } catch (failure) {
      end = { failure };
    }
    isThere();
  };
  void read();

  return {
    async *[Symbol.asyncIterator]() {
      for (let read = 0; ; ) {
        for (const item of items.slice(read)) {
          read++;
          yield item;
        }
        if (read < items.length) continue;
        if (end === 'complete') return;
        if (end) throw end.failure;
        await news;
      }
    },
  };
}
