import { setImmediate as settle } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ReadingLine } from './reading-line.ts';

const never = new AbortController().signal;

/** A queue whose texts are read when the test says so, in the order in which they began. */
function aLine(restMs = 0) {
  const line = new ReadingLine(restMs);
  const begun: string[] = [];
  let finish: (() => void) | null = null;
  const read = (text: string) => {
    begun.push(text);
    return new Promise<string>((resolve) => {
      finish = () => resolve(text.toUpperCase());
    });
  };
  const readOne = async () => {
    for (let waits = 0; !finish && waits < 10; waits++) await settle();
    finish?.();
    finish = null;
    for (let waits = 0; !finish && waits < 10; waits++) await settle();
  };
  return { line, begun, read, readOne };
}

it('reads one text at a time and answers in order', async () => {
  const { line, begun, read, readOne } = aLine();
  const both = Promise.all([
    line.run({ urgency: 'turn' }, ['a', 'b'], never, read),
    line.run({ urgency: 'turn' }, ['c'], never, read),
  ]);
  for (let n = 0; n < 3; n++) {
    await readOne();
    expect(begun.length).toBeLessThanOrEqual(n + 2);
  }
  expect(await both).toEqual([['A', 'B'], ['C']]);
});

it('lets a turn overtake an index after one text, and who has fewer texts left overtake within both', async () => {
  const { line, begun, read, readOne } = aLine();
  const index = line.run({ urgency: 'index' }, ['i1', 'i2', 'i3'], never, read);
  await settle();
  await settle();
  expect(begun).toEqual(['i1']);
  const all = Promise.all([
    index,
    line.run({ urgency: 'index' }, ['j1'], never, read),
    line.run({ urgency: 'turn' }, ['t1', 't2', 't3'], never, read),
    line.run({ urgency: 'turn' }, ['u1'], never, read),
  ]);
  for (let n = 0; n < 8; n++) await readOne();
  await all;
  expect(begun).toEqual(['i1', 'u1', 't1', 't2', 't3', 'j1', 'i2', 'i3']);
});

it('reads for the turn that began first, though others ask in between', async () => {
  const { line, begun, read, readOne } = aLine();
  const ask = (turn: number, ...texts: string[]) => line.run({ urgency: 'turn', turn }, texts, never, read);
  const all = [ask(2, 'second 1'), ask(3, 'third 1'), ask(1, 'first 1', 'first 2')];
  await readOne();
  all.push(ask(1, 'first 3'));
  for (let n = 0; n < 4; n++) await readOne();
  await Promise.all(all);
  expect(begun).toEqual(['first 1', 'first 2', 'first 3', 'second 1', 'third 1']);
});

it('reads what customers ask before what bears on the questions of others', async () => {
  const { line, begun, read, readOne } = aLine();
  const ask = (turn: number, isQuestion: boolean, text: string) =>
    line.run({ urgency: 'turn', turn, isQuestion }, [text], never, read);
  const all = [
    ask(1, false, 'passage of the first'),
    ask(1, false, 'another one'),
    ask(2, true, 'question of the second'),
    ask(3, true, 'question of the third'),
    line.run({ urgency: 'index', isQuestion: true }, ['question that nobody asks now'], never, read),
  ];
  for (let n = 0; n < 5; n++) await readOne();
  await Promise.all(all);
  expect(begun).toEqual([
    'question of the second',
    'question of the third',
    'passage of the first',
    'another one',
    'question that nobody asks now',
  ]);
});

it('reads what little work has left before a piece of much', async () => {
  const { line, begun, read, readOne } = aLine();
  const index = (following: number, ...texts: string[]) =>
    line.run({ urgency: 'index', following }, texts, never, read);
  const all = [index(100, 'much 1', 'much 2'), index(3, 'some 1', 'some 2')];
  await settle();
  all.push(index(0, 'little 1', 'little 2'));
  for (let n = 0; n < 6; n++) await readOne();
  expect(await Promise.all(all)).toEqual([
    ['MUCH 1', 'MUCH 2'],
    ['SOME 1', 'SOME 2'],
    ['LITTLE 1', 'LITTLE 2'],
  ]);
  expect(begun).toEqual(['some 1', 'little 1', 'little 2', 'some 2', 'much 1', 'much 2']);
});

it('lets an index rest after a turn, which asks on', async () => {
  const { line, begun, read, readOne } = aLine(60_000);
  const controller = new AbortController();
  const index = line.run({ urgency: 'index' }, ['i1', 'i2'], controller.signal, read);
  await settle();
  const asked = line.run({ urgency: 'turn' }, ['t1'], never, read);
  for (let n = 0; n < 2; n++) await readOne();
  await asked;
  for (let n = 0; n < 10; n++) await settle();
  expect(begun).toEqual(['i1', 't1']);
  const askedOn = line.run({ urgency: 'turn' }, ['t2'], never, read);
  await readOne();
  expect(await askedOn).toEqual(['T2']);
  expect(begun).toEqual(['i1', 't1', 't2']);
  controller.abort(new Error('enough'));
  await expect(index).rejects.toThrow('enough');
});

it('goes on with an index when a turn asks no more', async () => {
  const { line, begun, read, readOne } = aLine(1);
  const all = Promise.all([
    line.run({ urgency: 'index' }, ['i1'], never, read),
    line.run({ urgency: 'turn' }, ['t1'], never, read),
  ]);
  await readOne();
  await expect.poll(() => begun).toEqual(['t1', 'i1']);
  await readOne();
  expect(await all).toEqual([['I1'], ['T1']]);
});

it('forgets who gives up, even in the middle of a text', async () => {
  const { line, begun, read, readOne } = aLine();
  const controller = new AbortController();
  const given = line.run({ urgency: 'turn' }, ['a', 'b'], controller.signal, read);
  const next = line.run({ urgency: 'turn' }, ['c', 'd', 'e'], never, read);
  await settle();
  await settle();
  controller.abort(new Error('hung up'));
  await expect(given).rejects.toThrow('hung up');
  await expect(line.run({ urgency: 'turn' }, ['x'], controller.signal, read)).rejects.toThrow('hung up');
  for (let n = 0; n < 4; n++) await readOne();
  expect(await next).toEqual(['C', 'D', 'E']);
  expect(begun).toEqual(['a', 'c', 'd', 'e']);
});

it('goes on after a failure, which only its own request hears of', async () => {
  const line = new ReadingLine();
  const failing = line.run({ urgency: 'turn' }, ['a', 'b'], never, () => Promise.reject(new Error('broken')));
  const fine = line.run({ urgency: 'turn' }, ['c'], never, async (text) => text);
  await expect(failing).rejects.toThrow('broken');
  expect(await fine).toEqual(['c']);
});

it('answers nothing for no texts', async () => {
  expect(await new ReadingLine().run({ urgency: 'turn' }, [], never, async (text) => text)).toEqual([]);
});
