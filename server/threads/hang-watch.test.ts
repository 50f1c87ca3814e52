import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HangWatch } from './hang-watch.ts';
import { Pulse } from './pulse.ts';

describe('HangWatch', () => {
  let pulse: Pulse;
  let hangs: number;
  let watch: HangWatch;
  beforeEach(() => {
    vi.useFakeTimers();
    pulse = new Pulse();
    hangs = 0;
    watch = new HangWatch(new Pulse(pulse.shared), () => hangs++);
  });
  afterEach(() => void vi.useRealTimers());

  it('leaves a thread alone that beats', () => {
    pulse.begin();
    watch.allow(1_000);
    vi.advanceTimersByTime(60_000);
    expect(hangs).toBe(0);
  });

  it('tells once of a thread that does not, within half the limit more', () => {
    watch.allow(1_000);
    vi.advanceTimersByTime(999);
    expect(hangs).toBe(0);
    vi.advanceTimersByTime(501);
    expect(hangs).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(hangs).toBe(1);
  });

  it('tells of a native run that does not end, though the thread beats and others beside it end', async () => {
    pulse.begin();
    void pulse.around(() => new Promise(() => {}));
    watch.allow(1_000);
    for (let n = 0; n < 15; n++) {
      await pulse.around(async () => {});
      vi.advanceTimersByTime(100);
    }
    expect(hangs).toBe(1);
  });

  it('minds no number of native runs that do end', async () => {
    pulse.begin();
    watch.allow(1_000);
    for (let n = 0; n < 100; n++) await pulse.around(async () => void vi.advanceTimersByTime(400));
    expect(pulse.oldestRun).toBe(0);
    expect(hangs).toBe(0);
  });

  it('goes by its latest limit, and by none once it was stopped', () => {
    watch.allow(1_000);
    watch.allow(10_000);
    vi.advanceTimersByTime(9_000);
    expect(hangs).toBe(0);
    watch.stop();
    vi.advanceTimersByTime(60_000);
    expect(hangs).toBe(0);
  });
});
