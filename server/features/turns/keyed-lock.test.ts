import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { KeyedLock } from './keyed-lock.ts';

it('runs tasks of one key in the order they came, one at a time', async () => {
  const lock = new KeyedLock();
  const log: string[] = [];
  const task = (name: string, ms: number) =>
    lock.run('a', async () => {
      log.push(`${name} in`);
      await pause(ms);
      log.push(`${name} out`);
    });
  await Promise.all([task('first', 10), task('second', 0)]);
  expect(log).toEqual(['first in', 'first out', 'second in', 'second out']);
});

it('lets tasks of other keys pass', async () => {
  const lock = new KeyedLock();
  let open = () => {};
  const blocked = lock.run('a', () => new Promise<void>((resolve) => (open = resolve)));
  await expect(lock.run('b', async () => 'passed')).resolves.toBe('passed');
  open();
  await blocked;
});

it('goes on after a task that failed, and tells its caller', async () => {
  const lock = new KeyedLock();
  const failing = lock.run('a', async () => {
    throw new Error('no');
  });
  const next = lock.run('a', async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe('yes');
});
