import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryLimiters } from '#server/lib/rate-limits';
import { createSignInLimits, type SignInLimits } from './sign-in-limits.ts';

const ada = 'ada@example.com';
let limits: SignInLimits;
beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T09:00:00Z') });
  limits = createSignInLimits(memoryLimiters);
});
afterEach(() => vi.useRealTimers());

/** Milliseconds to wait; 0 if the attempt is allowed. */
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
const freshAddress = (n: number) => `198.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;

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
  const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it('are slowed down: each waits for its own seat, and has a few', async () => {
    await attack();
    expect(await attempts(3, ada, freshAddress(100))).toEqual([30_000, 30_000, 30_000]);
    let through = 0;
    // Thirty clients that wait as told, for a quarter of an hour.
    for (let n = 0; n < 30; n++) {
      for (let k = 0; k < 30; k++) if ((await attempt(ada, freshAddress(200 + k))) === 0) through++;
      await wait(30_000);
    }
    // Three each, and an occasional one from all; twenty were new in the first minute.
    expect(through).toBeGreaterThanOrEqual(3 * 30);
    expect(through).toBeLessThanOrEqual(3 * 30 + 20 + 30);
  });

  it('do not keep the customer out of an address that they have signed in from before', async () => {
    await attack();
    expect(await attempt(ada, '10.0.0.1', true)).toBe(0);
  });

  it.each([1, 4, 40])(
    'keep the customer out of a new address for half a minute, at %i guesses a second',
    async (pace) => {
      await attack();
      let n = 100;
      const guessFor = async (seconds: number) => {
        for (let second = 0; second < seconds; second++) {
          for (let k = 0; k < pace; k++) await attempt(ada, freshAddress(n++ % 60_000));
          await wait(1_000);
        }
      };
      await guessFor(20);
      expect(await attempt(ada, '10.0.0.1')).toBe(30_000);
      await guessFor(30);
      expect(await attempt(ada, '10.0.0.1')).toBe(0);
    },
  );

  it('do not make somebody who was refused wait longer for having tried', async () => {
    await attack();
    expect(await attempts(40, ada, '10.0.0.1')).toEqual(Array(40).fill(30_000));
    await wait(30_000);
    expect(await attempt(ada, '10.0.0.1')).toBe(0);
    expect(await attempt('bob@example.com', '10.0.0.1')).toBe(0);
  });

  it('that all failed before do not take the place of somebody new', async () => {
    for (let n = 0; n < 12; n++) await attempt(ada, freshAddress(n));
    await wait(60_000);
    for (let minute = 0; minute < 5; minute++) {
      for (let n = 0; n < 12; n++) await attempt(ada, freshAddress(n));
      expect(await attempt(ada, `10.0.0.${minute}`)).toBe(0);
      await wait(60_000);
    }
  });

  it('of one IPv6 network do not keep the customer out at all, and are counted together', async () => {
    const inOne48 = (n: number) => `2001:db8:1:${n.toString(16)}::/64`;
    let through = 0;
    for (let second = 0, n = 0; second < 130; second++) {
      for (let k = 0; k < 4; k++, n++) if ((await attempt(ada, inOne48(n))) === 0) through++;
      if (second % 10 === 9) expect(await attempt(ada, `10.0.0.${second}`)).toBe(0);
      await wait(1_000);
    }
    // The account's ten free attempts, and those of a new network.
    expect(through).toBeLessThanOrEqual(12);
  });

  it('of one IPv6 network have their seats counted together, too', async () => {
    const inOne48 = (n: number) => `2001:db8:1:${n.toString(16)}::/64`;
    for (let n = 0; n < 200; n++) await attempt(ada, inOne48(n * 256));
    await wait(30_000);
    let through = 0;
    for (let n = 100; n < 200; n++) if ((await attempt(ada, inOne48(n * 256))) === 0) through++;
    // The attempts of the wider network, and one of the shared lane.
    expect(through).toBe(12 + 1);
  });

  it('do not touch other accounts', async () => {
    await attack();
    expect(await attempt('bob@example.com', '10.0.0.1')).toBe(0);
  });
});

describe('the networks around an IPv6 address', () => {
  const taken = async (count: number, of: (n: number) => string) => {
    let through = 0;
    for (let n = 0; n < count; n++)
      through += await limits.register(of(n)).then(
        () => 1,
        () => 0,
      );
    return through;
  };

  it('may do more than it, each kind its own share', async () => {
    expect(await taken(50, () => '2001:db8:1:1::/64')).toBe(30);
    expect(await taken(200, (n) => `2001:db8:1:${n.toString(16)}::/64`)).toBe(90);
    expect(await taken(600, (n) => `2001:db8:1:${(n * 64).toString(16)}::/64`)).toBe(360);
    expect(await taken(10, (n) => `2001:db8:2:${n}::/64`)).toBe(10);
  });
});

it('asks for a link as often as one likes for an account that others ask for', async () => {
  for (let n = 0; n < 30; n++) await limits.recover(ada, freshAddress(n));
  for (let n = 0; n < 5; n++) await limits.recover(ada, '10.0.0.1');
  await expect(limits.recover(ada, '10.0.0.1')).rejects.toMatchObject({ code: 'rate-limited' });
  await expect(limits.recover('bob@example.com', '10.0.0.1')).resolves.toBeUndefined();
});

it('lets one address make thirty accounts an hour', async () => {
  for (let n = 0; n < 30; n++) await limits.register('10.0.0.1');
  await expect(limits.register('10.0.0.1')).rejects.toMatchObject({ code: 'rate-limited' });
  await expect(limits.register('10.0.0.2')).resolves.toBeUndefined();
});
