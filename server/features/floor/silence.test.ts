import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Silence } from './silence.ts';

let isQuiet: boolean;
let did: string[];
let canAsk: boolean;
let silence: Silence;
beforeEach(() => {
  vi.useFakeTimers();
  isQuiet = true;
  canAsk = true;
  did = [];
  silence = new Silence({
    limits: { silenceMs: 12_000, waitedForMs: 60_000, farewellMs: 2_500 },
    isQuiet: () => isQuiet,
    ask: async () => {
      if (canAsk) did.push('asked');
      return canAsk;
    },
    end: () => did.push('ended'),
  });
});
afterEach(() => {
  silence.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

/** A short sound of a person. */
function noise(): void {
  isQuiet = false;
  silence.stir();
  vi.advanceTimersByTime(5_000);
  isQuiet = true;
  silence.stir();
}

describe('a silence', () => {
  it('is asked into once, until the customer speaks again', async () => {
    silence.stir();
    await vi.advanceTimersByTimeAsync(11_999);
    expect(did).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(did).toEqual(['asked']);
    noise();
    await vi.advanceTimersByTimeAsync(300_000);
    expect(did).toEqual(['asked']);
    silence.spoke();
    await vi.advanceTimersByTimeAsync(12_000);
    expect(did).toEqual(['asked', 'asked']);
  });

  it('counts from the last thing that happened, and not while somebody speaks', async () => {
    silence.stir();
    await vi.advanceTimersByTimeAsync(11_000);
    isQuiet = false;
    silence.stir();
    await vi.advanceTimersByTimeAsync(60_000);
    isQuiet = true;
    silence.stir();
    await vi.advanceTimersByTimeAsync(11_999);
    expect(did).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(did).toEqual(['asked']);
  });

  it('is left alone for longer where the customer asked for a moment', async () => {
    silence.answered('wait');
    await vi.advanceTimersByTimeAsync(59_999);
    expect(did).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(did).toEqual(['asked']);
  });

  it('is asked into later where that could not be done', async () => {
    canAsk = false;
    silence.stir();
    await vi.advanceTimersByTimeAsync(12_000);
    canAsk = true;
    silence.stir();
    await vi.advanceTimersByTimeAsync(12_000);
    expect(did).toEqual(['asked']);
  });
});

describe('the silence after a goodbye', () => {
  it('ends the call once, after a short pause', async () => {
    silence.answered('end');
    await vi.advanceTimersByTimeAsync(2_499);
    expect(did).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    silence.stir();
    await vi.advanceTimersByTimeAsync(300_000);
    expect(did).toEqual(['ended']);
  });

  it('does not while the farewell is heard, nor for a noise', async () => {
    isQuiet = false;
    silence.answered('end');
    await vi.advanceTimersByTimeAsync(10_000);
    isQuiet = true;
    silence.stir();
    await vi.advanceTimersByTimeAsync(2_000);
    noise();
    expect(did).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_500);
    expect(did).toEqual(['ended']);
  });

  it('is an ordinary one again when the customer speaks', async () => {
    silence.answered('end');
    await vi.advanceTimersByTimeAsync(2_000);
    silence.spoke();
    silence.answered(undefined);
    await vi.advanceTimersByTimeAsync(11_000);
    expect(did).toEqual([]);
  });

  it('ends nothing that is over', async () => {
    silence.answered('end');
    silence.close();
    silence.stir();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(did).toEqual([]);
  });
});
