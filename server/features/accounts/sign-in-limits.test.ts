import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryLimiters } from '#server/rate-limits';
import { createSignInLimits, type SignInLimits } from './sign-in-limits.ts';

const ada = 'ada@example.com';
let limits: SignInLimits;
beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T09:00:00Z') });
  limits = createSignInLimits(memoryLimiters);
});
afterEach(() => vi.useRealTimers());

/** Milliseconds to wait, 0 when the attempt is let through. */
const attempt = (email: string, address: string, isKnown = false): Promise<number> =>
  limits.attempt(email, address, isKnown).then(
    () => 0,
    (refusal: { code: string; retryAfterMs: number }) => {
      expect(refusal.code).toBe('rate-limited');
      return refusal.retryAfterMs;
    },
  );
const attempts = async (count: number, email: string, address: string) => {
  const waits: number[] = [];
  for (let n = 0; n < count; n++) waits.push(await attempt(email, address));
  return waits;
};
const freshAddress = (n: number) => `198.51.${n >> 8}.${n & 255}`;

describe('one address that guesses at one account', () => {
  it('gets five attempts, and one more every half minute, minute, two minutes …', async () => {
    expect(await attempts(6, ada, '10.0.0.1')).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await attempt(ada, '10.0.0.1')).toBe(30_000);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await attempt(ada, '10.0.0.1')).toBe(0);
    expect(await attempt(ada, '10.0.0.1')).toBeGreaterThan(30_000);
  });

  it('never waits more than five minutes', async () => {
    await attempts(40, ada, '10.0.0.1');
    await vi.advanceTimersByTimeAsync(30_000);
    await attempt(ada, '10.0.0.1');
    expect(await attempt(ada, '10.0.0.1')).toBeLessThanOrEqual(300_000);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(await attempt(ada, '10.0.0.1')).toBe(0);
  });

  it('is counted before its password is checked, so that many at once are no way round', async () => {
    const at_once = await Promise.all(Array.from({ length: 50 }, () => attempt(ada, '10.0.0.1')));
    expect(at_once.filter((wait) => wait === 0)).toHaveLength(6);
  });

  it('starts anew after a right password', async () => {
    await attempts(4, ada, '10.0.0.1');
    await limits.succeeded(ada, '10.0.0.1');
    expect(await attempts(6, ada, '10.0.0.1')).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('does not keep the same customer out elsewhere, nor others at the same place', async () => {
    await attempts(10, ada, '10.0.0.1');
    expect(await attempt(ada, '10.0.0.2')).toBe(0);
    expect(await attempt('bob@example.com', '10.0.0.1')).toBe(0);
  });
});

describe('one address that guesses at many accounts', () => {
  it('gets fifty attempts in a quarter of an hour', async () => {
    for (let n = 0; n < 50; n++) expect(await attempt(`user${n}@example.com`, '10.0.0.1')).toBe(0);
    expect(await attempt('user50@example.com', '10.0.0.1')).toBe(900_000);
    expect(await attempt('user50@example.com', '10.0.0.2')).toBe(0);
    await vi.advanceTimersByTimeAsync(900_000);
    expect(await attempt('user50@example.com', '10.0.0.1')).toBe(0);
  });

  it('is not filled by people who sign in rightly', async () => {
    for (let n = 0; n < 200; n++) {
      expect(await attempt(`user${n}@example.com`, '10.0.0.1')).toBe(0);
      await limits.succeeded(`user${n}@example.com`, '10.0.0.1');
    }
  });
});

describe('many addresses that guess at one account', () => {
  const attack = async () => {
    for (let n = 0; n < 60; n++) await attempt(ada, freshAddress(n));
  };

  it('are slowed down together', async () => {
    await attack();
    const waits = [];
    for (let n = 100; n < 130; n++) waits.push(await attempt(ada, freshAddress(n)));
    expect(waits.filter((wait) => wait === 0)).toEqual([]);
    for (const wait of waits) expect(wait).toBeLessThanOrEqual(60_000);
  });

  it('do not keep the customer out of an address that they have signed in from before', async () => {
    await attack();
    expect(await attempt(ada, '10.0.0.1', true)).toBe(0);
  });

  it('keep the customer out of a new address for a minute at most', async () => {
    await attack();
    expect(await attempt(ada, '10.0.0.1')).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await attempt(ada, '10.0.0.1')).toBe(0);
  });

  it('that all failed before do not take the place of somebody new', async () => {
    for (let n = 0; n < 12; n++) await attempt(ada, freshAddress(n));
    await vi.advanceTimersByTimeAsync(60_000);
    for (let minute = 0; minute < 5; minute++) {
      for (let n = 0; n < 12; n++) await attempt(ada, freshAddress(n));
      expect(await attempt(ada, `10.0.0.${minute}`)).toBe(0);
      await vi.advanceTimersByTimeAsync(60_000);
    }
  });

  it('do not touch other accounts', async () => {
    await attack();
    expect(await attempt('bob@example.com', '10.0.0.1')).toBe(0);
  });
});

it('lets one address make thirty accounts an hour', async () => {
  for (let n = 0; n < 30; n++) await limits.register('10.0.0.1');
  await expect(limits.register('10.0.0.1')).rejects.toMatchObject({ code: 'rate-limited' });
  await expect(limits.register('10.0.0.2')).resolves.toBeUndefined();
});
