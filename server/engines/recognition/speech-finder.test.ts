import { describe, expect, it } from 'vitest';
import { SpeechFinder } from './speech-finder.ts';

const FRAME = 512;
const never = new AbortController().signal;

/** A finder whose detector reports speech in frames that are not silent, and the streams opened for it. */
function aFinder() {
  const streams: number[] = [];
  const finder = new SpeechFinder(() => {
    const stream = streams.push(0) - 1;
    return {
      accept: async (frame) => {
        streams[stream] = (streams[stream] ?? 0) + 1;
        return frame.some((sample) => sample !== 0);
      },
    };
  });
  return { finder, streams };
}

/** One frame for each value, plus half a frame. */
const sound = (...frames: number[]) =>
  Float32Array.from({ length: (frames.length + 0.5) * FRAME }, (_, n) => frames[Math.floor(n / FRAME)] ?? 0);

describe('SpeechFinder', () => {
  it('says of every whole frame whether somebody speaks in it', async () => {
    const { finder } = aFinder();
    expect(await finder.find(sound(0, 1, 1, 0), 'a', never)).toEqual([false, true, true, false]);
    expect(await finder.find(new Float32Array(10), 'b', never)).toEqual([]);
  });

  it('searches only what a recording has grown by', async () => {
    const { finder, streams } = aFinder();
    await finder.find(sound(0, 1, 1), 'a', never);
    expect(await finder.find(sound(0, 1, 1, 1, 0), 'a', never)).toEqual([false, true, true, true, false]);
    expect(streams).toEqual([5]);
  });

  it('searches all of a recording that begins otherwise, is shorter, or is of somebody else', async () => {
    const { finder, streams } = aFinder();
    await finder.find(sound(0, 1, 1), 'a', never);
    expect(await finder.find(sound(0, 2, 1, 1), 'a', never)).toEqual([false, true, true, true]);
    expect(await finder.find(sound(0, 2), 'a', never)).toEqual([false, true]);
    expect(await finder.find(sound(0, 2, 0), 'b', never)).toEqual([false, true, false]);
    expect(streams).toEqual([3, 4, 2, 3]);
  });

  it('keeps two searches of a caller apart, and starts anew after one that was given up', async () => {
    const { finder, streams } = aFinder();
    const long = Array.from({ length: 100 }, () => 1);
    await finder.find(sound(1, 1), 'a', never);
    const controller = new AbortController();
    const given = finder.find(sound(...long), 'a', controller.signal);
    const other = finder.find(sound(1, 1, 0), 'a', never);
    controller.abort(new Error('hung up'));
    await expect(given).rejects.toThrow('hung up');
    expect(await other).toEqual([true, true, false]);
    expect(streams[1]).toBe(3);
  });
});
