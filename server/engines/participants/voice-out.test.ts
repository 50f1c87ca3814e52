import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SPEECH_RATE, VoiceOut, type VoiceSink } from './voice-out.ts';

const QUEUE_MS = 200;

/** Plays by the test's clock from a queue of 200 ms, like the real one. */
class ScriptedSink implements VoiceSink {
  readonly played: number[] = [];
  #queue: number[] = [];
  #since = Date.now();
  #waiting: (() => void)[] = [];
  isClosed = false;

  get queuedMs(): number {
    this.advance();
    return (this.#queue.length * 1_000) / SPEECH_RATE;
  }

  async play(samples: Int16Array): Promise<void> {
    if (this.isClosed) throw new Error('closed');
    this.advance();
    this.#queue.push(...samples);
    while (this.queuedMs > QUEUE_MS) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  clear(): void {
    this.advance();
    this.#queue = [];
    this.#wake();
  }

  advance(): void {
    const now = Date.now();
    const played = Math.min(this.#queue.length, Math.round(((now - this.#since) * SPEECH_RATE) / 1_000));
    this.played.push(...this.#queue.splice(0, played));
    this.#since = now;
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

let sink: ScriptedSink;
let told: string[];
let voice: VoiceOut;
beforeEach(() => {
  vi.useFakeTimers();
  sink = new ScriptedSink();
  told = [];
  voice = new VoiceOut(sink, {
    began: (id) => told.push(`${id} began`),
    played: (id, ms) => told.push(`${id} at ${ms}`),
    ended: (id, ms) => told.push(`${id} ended at ${ms}`),
  });
});
afterEach(() => {
  voice.close();
  vi.useRealTimers();
});

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10) {
    await vi.advanceTimersByTimeAsync(10);
    sink.advance();
    await vi.advanceTimersByTimeAsync(0);
  }
}

/** Sound whose samples encode their position: 1 ms of each number. */
const sound = (ms: number, from = 0) =>
  Int16Array.from(
    { length: (ms * SPEECH_RATE) / 1_000 },
    (_, at) => from + Math.floor((at * 1_000) / SPEECH_RATE),
  );

describe('the voice on its way out', () => {
  it('says the pieces of a speech without a gap, and tells its beginning and end', async () => {
    voice.say('a', sound(300, 1));
    await pass(100);
    voice.say('a', sound(300, 301));
    voice.finish('a');
    await pass(700);
    expect(sink.played.slice(0, SPEECH_RATE * 0.6)).toEqual([...sound(600, 1)]);
    expect(told[0]).toBe('a began');
    expect(told.at(-1)).toBe('a ended at 600');
  });

  it('waits for what is still being made', async () => {
    voice.say('a', sound(100, 1));
    await pass(500);
    expect(told).not.toContain('a ended at 100');
    voice.say('a', sound(100, 101));
    voice.finish('a');
    await pass(300);
    expect(told.at(-1)).toBe('a ended at 200');
  });

  it('pauses to the sample and goes on there', async () => {
    voice.say('a', sound(2_000, 1));
    voice.finish('a');
    await pass(500);
    voice.hold();
    await pass(1_000);
    const before = sink.played.length;
    // The played part, and a fade-out of ten milliseconds.
    expect(before / SPEECH_RATE).toBeCloseTo(0.51, 1);
    expect(sink.played.at(-1)).toBeLessThan(5);
    voice.release();
    await pass(300);
    const after = sink.played.slice(before);
    const faded = (SPEECH_RATE * 10) / 1_000;
    expect(after[faded + 1]).toBeGreaterThan(500);
    expect(after[faded + 1]).toBeLessThan(530);
  });

  it('says nothing while it is held, not even what comes then', async () => {
    voice.hold();
    voice.say('a', sound(100));
    voice.finish('a');
    await pass(500);
    expect(told).toEqual([]);
    voice.release();
    await pass(300);
    expect(told.at(-1)).toBe('a ended at 100');
  });

  it('stops where it is and tells how much was heard', async () => {
    voice.say('a', sound(5_000, 1));
    await pass(1_000);
    const playedMs = voice.stop('a');
    expect(playedMs).toBeGreaterThanOrEqual(970);
    expect(playedMs).toBeLessThanOrEqual(1_010);
    await pass(1_000);
    expect(sink.played.length / SPEECH_RATE).toBeLessThan(1.1);
    expect(told.some((line) => line.includes('ended'))).toBe(false);
  });

  it('says one speech after the other, and skips one that was stopped before its turn', async () => {
    for (const [id, from] of [
      ['a', 1],
      ['b', 1_001],
      ['c', 2_001],
    ] as const) {
      voice.say(id, sound(100, from));
      voice.finish(id);
    }
    expect(voice.stop('b')).toBe(0);
    await pass(600);
    expect(told.filter((line) => / (began|ended)/.test(line))).toEqual([
      'a began',
      'a ended at 100',
      'c began',
      'c ended at 100',
    ]);
  });

  it('ends quietly when the room is gone', async () => {
    voice.say('a', sound(1_000));
    await pass(300);
    sink.isClosed = true;
    await pass(2_000);
    expect(told.some((line) => line.includes('ended'))).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });
});
