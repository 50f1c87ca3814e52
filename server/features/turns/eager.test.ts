import { describe, expect, it } from 'vitest';
import { eager } from './eager.ts';

async function* counting(log: number[], to: number, failure?: Error) {
  for (let n = 1; n <= to; n++) {
    log.push(n);
    yield n;
  }
  if (failure) throw failure;
}

async function allOf<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('eager', () => {
  it('reads on though nobody listens', async () => {
    const log: number[] = [];
    eager(counting(log, 3));
    await settled();
    expect(log).toEqual([1, 2, 3]);
  });

  it('gives everybody all of it, also who comes late', async () => {
    const stream = eager(counting([], 3));
    expect(await Promise.all([allOf(stream), allOf(stream)])).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    expect(await allOf(stream)).toEqual([1, 2, 3]);
  });

  it('hands each item on the moment it is there', async () => {
    let give = (_n: number) => {};
    async function* slow() {
      for (;;)
        yield await new Promise<number>((resolve) => {
          give = resolve;
        });
    }
    const items = eager(slow())[Symbol.asyncIterator]();
    for (const n of [1, 2, 3]) {
      const next = items.next();
      await settled();
      give(n);
      expect((await next).value).toBe(n);
    }
  });

  it('throws what the stream threw, after what came before it', async () => {
    const items = eager(counting([], 1, new Error('broken')))[Symbol.asyncIterator]();
    await settled();
    expect((await items.next()).value).toBe(1);
    await expect(items.next()).rejects.toThrow('broken');
  });
});
