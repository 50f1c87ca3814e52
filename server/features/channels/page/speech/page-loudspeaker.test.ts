import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PageLoudspeaker } from './page-loudspeaker.ts';

const speech = { samples: new Float32Array(1), sampleRate: 16_000 };
const sentence = (responseId: string) => ({ responseId, text: 'One.', speech, isLast: false });

let nowMs: number;
let phases: string[];
let notPlayed: string[];
let loudspeaker: PageLoudspeaker;
beforeEach(() => {
  vi.useFakeTimers();
  nowMs = 5_000;
  phases = [];
  notPlayed = [];
  loudspeaker = new PageLoudspeaker({
    bargeIn: (phase) => phases.push(phase),
    notPlayed: (responseId) => notPlayed.push(responseId),
    now: () => nowMs,
  });
});
afterEach(() => {
  loudspeaker.close();
  vi.useRealTimers();
});

describe('the playout position', () => {
  it('is the time it played, pauses left out', () => {
    loudspeaker.began('a');
    nowMs += 700;
    loudspeaker.hold();
    nowMs += 10_000;
    expect(loudspeaker.playedMs).toBe(700);
    loudspeaker.release();
    nowMs += 300;
    expect(loudspeaker.playedMs).toBe(1_000);
  });

  it('begins anew with another reply, and goes on with the same', () => {
    loudspeaker.began('a');
    nowMs += 700;
    loudspeaker.began('a');
    expect(loudspeaker.playedMs).toBe(700);
    loudspeaker.began('b');
    expect([loudspeaker.responseId, loudspeaker.playedMs]).toEqual(['b', 0]);
  });

  it('is nothing once it has ended', () => {
    loudspeaker.began('a');
    loudspeaker.ended();
    expect([loudspeaker.responseId, loudspeaker.playedMs]).toEqual([null, 0]);
  });

  it('still counts when a page tells that its paused voice has ended, until it is let go on', () => {
    loudspeaker.began('a');
    nowMs += 700;
    loudspeaker.hold();
    loudspeaker.ended();
    expect([loudspeaker.responseId, loudspeaker.playedMs]).toEqual(['a', 700]);
    loudspeaker.release();
    expect(loudspeaker.responseId).toBeNull();
  });
});

describe('a page that is stopped', () => {
  it('has two seconds to say how much was played', async () => {
    loudspeaker.began('a');
    nowMs += 700;
    const playedMs = loudspeaker.stop('a');
    let isKnown = false;
    void playedMs.then(() => {
      isKnown = true;
    });
    await vi.advanceTimersByTimeAsync(1_900);
    expect(isKnown).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(await playedMs).toBe(700);
  });

  it('has played nothing of a reply that had not begun', async () => {
    loudspeaker.began('a');
    nowMs += 700;
    expect(await loudspeaker.stop('b')).toBe(0);
    expect(await loudspeaker.stop(null)).toBe(0);
  });

  it('is not told to go on as well', () => {
    loudspeaker.hold();
    void loudspeaker.stop(null);
    loudspeaker.release();
    expect(phases).toEqual(['hold', 'interrupt']);
  });
});

describe('a reply that has a voice', () => {
  it('is only shown when no page plays it', () => {
    loudspeaker.say(sentence('a'));
    vi.advanceTimersByTime(2_900);
    loudspeaker.say(sentence('a'));
    expect(notPlayed).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(notPlayed).toEqual(['a']);
  });

  it('is not waited for once it is played, or another comes', () => {
    loudspeaker.say(sentence('a'));
    loudspeaker.began('a');
    loudspeaker.say(sentence('b'));
    loudspeaker.say(sentence('c'));
    vi.advanceTimersByTime(60_000);
    expect(notPlayed).toEqual(['c']);
  });
});
