import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Patience } from './patience.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const after = (ms: number) => new Promise<string>((resolve) => setTimeout(() => resolve('it'), ms));
const never = new Promise<never>(() => {});
const passed = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('counts waits alone, all of them together', async () => {
  const patience = new Patience(1_000);
  for (let time = 0; time < 3; time++) {
    const waiting = patience.during(after(300));
    await passed(300);
    expect(await waiting).toBe('it');
    await passed(60_000);
  }
  const last = expect(patience.during(never)).rejects.toMatchObject({ name: 'TimeoutError' });
  await passed(99);
  expect(patience.signal.aborted).toBe(false);
  await passed(2);
  await last;
  expect(patience.signal.aborted).toBe(true);
});

it('is at its end when a single wait takes too long', async () => {
  const patience = new Patience(1_000);
  const waiting = expect(patience.during(never, 100)).rejects.toMatchObject({ name: 'TimeoutError' });
  await passed(100);
  await waiting;
});

it('leaves no clock running', async () => {
  const patience = new Patience(1_000);
  await expect(patience.during(Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
  expect(vi.getTimerCount()).toBe(0);
});
