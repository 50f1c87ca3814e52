import { describe, expect, it } from 'vitest';
import { Reception } from '#server/engines/rooms/embedded/forwarding/reception';
import { transmissionRating } from './quality.ts';

describe('reception', () => {
  it('counts what is missing, what comes late and what the window brought', () => {
    const reception = new Reception(48_000);
    const arrive = (n: number, now = n * 20) => reception.add(n & 0xffff, (n * 960) >>> 0, now);
    expect(arrive(65_534)).toEqual([]);
    expect(arrive(65_537)).toEqual([65_535, 0]);
    expect(arrive(65_535)).toEqual([]);
    expect(reception.takeWindow()).toMatchObject({ expected: 4, received: 3 });
    expect(reception.report(1, 0)).toMatchObject({ lost: 1, fractionLost: 0.25, highest: 65_537 });
    expect(arrive(65_538)).toEqual([]);
    expect(reception.takeWindow()).toMatchObject({ expected: 1, received: 1 });
  });

  it('measures jitter, and takes no pause for it', () => {
    const steady = new Reception(48_000);
    const shaky = new Reception(48_000);
    for (let n = 0; n < 500; n++) {
      const pause = n > 250 ? 60_000 : 0;
      steady.add(n, n * 960, n * 20 + pause);
      shaky.add(n, n * 960, n * 20 + (n % 2) * 30);
    }
    expect(steady.takeWindow().jitterMs).toBeLessThan(1);
    expect(shaky.takeWindow().jitterMs).toBeGreaterThan(20);
  });

  it('takes a jump for a new beginning, not for loss to be repaired', () => {
    const reception = new Reception(90_000);
    reception.add(1, 0, 0);
    expect(reception.add(20_000, 90_000, 1_000)).toEqual([]);
  });
});

describe('the rating of a connection', () => {
  it('satisfies without loss and delay, and falls with either', () => {
    expect(transmissionRating({ lost: 0, delayMs: 20 })).toBeGreaterThan(90);
    expect(transmissionRating({ lost: 0.03, delayMs: 20 })).toBeGreaterThan(80);
    expect(transmissionRating({ lost: 0.04, delayMs: 20 })).toBeLessThan(80);
    expect(transmissionRating({ lost: 0.1, delayMs: 20 })).toBeGreaterThan(60);
    expect(transmissionRating({ lost: 0.2, delayMs: 20 })).toBeLessThan(60);
    expect(transmissionRating({ lost: 0, delayMs: 450 })).toBeLessThan(60);
  });
});
