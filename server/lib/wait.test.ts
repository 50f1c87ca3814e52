import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { collectGarbage } from '../../tests/support/collect-garbage.ts';
import { timeLimit, untilAborted, within } from './wait.ts';

const never = new Promise<never>(() => {});

describe('within', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('answers what came in time, and leaves no clock running', async () => {
    expect(await within(1_000, Promise.resolve('it'))).toBe('it');
    await expect(within(1_000, Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('answers nothing once the time is up', async () => {
    const answer = within(1_000, never);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await answer).toBeUndefined();
  });

  it('lets what fails later fail unheard', async () => {
    let fail = (_error: Error) => {};
    const late = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    const answer = within(10, late);
    await vi.advanceTimersByTimeAsync(10);
    fail(new Error('nobody waits any more'));
    expect(await answer).toBeUndefined();
  });
});

describe('untilAborted', () => {
  it('answers what is waited for, with and without a signal', async () => {
    expect(await untilAborted(Promise.resolve('it'), undefined)).toBe('it');
    expect(await untilAborted(Promise.resolve('it'), new AbortController().signal)).toBe('it');
  });

  it.each([true, false])('stops with the reason of the signal (aborted before: %s)', async (before) => {
    const stop = new AbortController();
    if (before) stop.abort(new Error('enough'));
    const answer = untilAborted(never, stop.signal);
    stop.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
  });

  it('lets what fails later fail unheard', async () => {
    const stop = new AbortController();
    let fail = (_error: Error) => {};
    const late = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    const answer = untilAborted(late, stop.signal);
    stop.abort(new Error('enough'));
    fail(new Error('nobody waits any more'));
    await expect(answer).rejects.toThrow('enough');
  });
});

describe('timeLimit', () => {
  /** Resolves when the signal aborts; holds no reference to the signal except its sources. */
  const abortOf = (signal: AbortSignal) =>
    new Promise<unknown>((resolve) =>
      signal.addEventListener('abort', () => resolve(signal.reason), { once: true }),
    );
  const other = () => new AbortController().signal;

  it.each([
    ['alone', () => timeLimit(200)],
    ['beside another signal', () => AbortSignal.any([other(), timeLimit(200)])],
    [
      'within what is beside another',
      () => AbortSignal.any([other(), AbortSignal.any([timeLimit(200), other()])]),
    ],
  ])('rings %s, whatever was collected as garbage meanwhile', async (_, made) => {
    const rang = abortOf(made());
    await collectGarbage();
    expect(await rang).toMatchObject({ name: 'TimeoutError' });
  });
});
