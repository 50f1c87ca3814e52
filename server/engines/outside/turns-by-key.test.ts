import { expect, test } from 'vitest';
import { TurnsByKey } from './turns-by-key.ts';

/** Tasks that end when the test says so, and the order in which they began. */
function world(limits: { atOnce: number; perKey: number }) {
  const turns = new TurnsByKey(limits);
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const all: Promise<unknown>[] = [];
  const ask = (name: string, signal?: AbortSignal) => {
    const work = () =>
      new Promise<string>((resolve, reject) => {
        begun.push(name);
        ends.set(name, (error) => (error ? reject(error) : resolve(name)));
      });
    const asked = turns.run(name[0] ?? '', work, signal);
    all.push(asked.catch(() => {}));
    return asked;
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (name: string, error?: Error) => {
    await settled();
    ends.get(name)?.(error);
    await settled();
  };
  return { ask, begun, end };
}

test('whoever has much to do makes nobody else wait', async () => {
  const { ask, begun, end } = world({ atOnce: 10, perKey: 2 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) void ask(name).catch(() => {});
  await end('none');
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await end('a2');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('where all places are taken, each key has its turn', async () => {
  const { ask, begun, end } = world({ atOnce: 1, perKey: 1 });
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void ask(name).catch(() => {});
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('what fails leaves its place, and who gives up waits no more', async () => {
  const { ask, begun, end } = world({ atOnce: 1, perKey: 1 });
  const first = ask('a1');
  const stop = new AbortController();
  const second = ask('a2', stop.signal);
  const third = ask('a3');
  stop.abort(new Error('enough'));
  await expect(second).rejects.toThrow('enough');
  await end('a1', new Error('it failed'));
  await expect(first).rejects.toThrow('it failed');
  await end('a3');
  expect(await third).toBe('a3');
  expect(begun).toEqual(['a1', 'a3']);
  await expect(ask('a4', stop.signal)).rejects.toThrow('enough');
});
