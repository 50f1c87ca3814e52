import { describe, expect, it } from 'vitest';
import { type Place, UrgencyQueue } from './urgency-queue.ts';

const never = new AbortController().signal;

/** Runs jobs that finish when told, and records the order in which they began. */
function aQueue() {
  const queue = new UrgencyQueue();
  const begun: string[] = [];
  const finish = new Map<string, () => void>();
  const add = (name: string, urgency: 'first' | 'later', signal = never) => addAt({ urgency, signal }, name);
  const addAt = (place: Place, name: string) =>
    queue.run(place, () => {
      begun.push(name);
      return new Promise<string>((resolve) => finish.set(name, () => resolve(name)));
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const finishAll = async () => {
    for (let done = 0; done < begun.length; done++) {
      finish.get(begun[done] ?? '')?.();
      await settle();
    }
  };
  return { add, addAt, begun, finishAll, settle };
}

describe('UrgencyQueue', () => {
  it('lets one in at a time', async () => {
    const queue = aQueue();
    const both = Promise.all([queue.add('a', 'first'), queue.add('b', 'first')]);
    await queue.settle();
    expect(queue.begun).toEqual(['a']);
    await queue.finishAll();
    expect(await both).toEqual(['a', 'b']);
  });

  it('lets urgent ones overtake, and keeps the order among equals', async () => {
    const queue = aQueue();
    for (const name of ['later 1', 'later 2', 'later 3']) queue.add(name, 'later');
    for (const name of ['first 1', 'first 2']) queue.add(name, 'first');
    await queue.settle();
    await queue.finishAll();
    expect(queue.begun).toEqual(['later 1', 'first 1', 'first 2', 'later 2', 'later 3']);
  });

  it('starves nobody: one that is not urgent gets in after three urgent ones', async () => {
    const queue = aQueue();
    queue.add('first 0', 'first');
    queue.add('later', 'later');
    for (let index = 1; index <= 6; index++) queue.add(`first ${index}`, 'first');
    await queue.settle();
    await queue.finishAll();
    expect(queue.begun.indexOf('later')).toBe(3);
    expect(queue.begun).toHaveLength(8);
  });

  it('lets one that became urgent while it waits overtake', async () => {
    const queue = aQueue();
    for (const name of ['later 1', 'later 2']) queue.add(name, 'later');
    const hurried: Place = { urgency: 'later', signal: never };
    queue.addAt(hurried, 'hurried');
    queue.add('first', 'first');
    await queue.settle();
    hurried.urgency = 'first';
    await queue.finishAll();
    expect(queue.begun).toEqual(['later 1', 'hurried', 'first', 'later 2']);
  });

  it('forgets one that gives up while it waits', async () => {
    const queue = aQueue();
    const controller = new AbortController();
    queue.add('a', 'first');
    const given = queue.add('b', 'first', controller.signal);
    queue.add('c', 'first');
    controller.abort(new Error('hung up'));
    await expect(given).rejects.toThrow('hung up');
    await queue.finishAll();
    expect(queue.begun).toEqual(['a', 'c']);
  });

  it('does not begin for one that has given up before', async () => {
    const queue = aQueue();
    await expect(queue.add('a', 'first', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(queue.begun).toEqual([]);
  });

  it('goes on after a failure', async () => {
    const queue = new UrgencyQueue();
    const failed = queue.run({ urgency: 'first', signal: never }, () => Promise.reject(new Error('broken')));
    const next = queue.run({ urgency: 'first', signal: never }, async () => 'fine');
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('fine');
  });
});
