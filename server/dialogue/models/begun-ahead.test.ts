import { expect, test } from 'vitest';
import { begunAhead } from './begun-ahead.ts';

async function* each<T>(...items: (T | Error)[]): AsyncGenerator<T> {
  for (const item of items) {
    await new Promise((resolve) => setImmediate(resolve));
    if (item instanceof Error) throw item;
    yield item;
  }
}

test('work on all begins while the first is waited for, and they come in order', async () => {
  const begun: number[] = [];
  const seen: number[] = [];
  const working = begunAhead(
    each(1, 2, 3),
    (n) => begun.push(n),
    () => {},
  );
  for await (const { item } of working) {
    if (item === 1) await expect.poll(() => begun).toEqual([1, 2, 3]);
    seen.push(item);
  }
  expect(seen).toEqual([1, 2, 3]);
});

test('a failure comes behind what came before it', async () => {
  const seen: number[] = [];
  const taking = (async () => {
    for await (const { item } of begunAhead(
      each<number>(1, 2, new Error('gone')),
      () => {},
      () => {},
    ))
      seen.push(item);
  })();
  await expect(taking).rejects.toThrow('gone');
  expect(seen).toEqual([1, 2]);
});

test('whoever takes no more stops what brings them', async () => {
  const stop = new AbortController();
  async function* endless() {
    yield 1;
    await new Promise((_, reject) =>
      stop.signal.addEventListener('abort', () => reject(new Error('stopped'))),
    );
  }
  for await (const _ of begunAhead(
    endless(),
    () => {},
    () => stop.abort(),
  ))
    break;
  expect(stop.signal.aborted).toBe(true);
});
