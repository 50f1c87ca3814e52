import { describe, expect, it } from 'vitest';
import { FRAME, speechPieces } from './pieces.ts';

const RATE = 16_000;
const frames = (seconds: number) => Math.round((seconds * RATE) / FRAME);

/**
 * A sound that alternates speech (true) and silence, in seconds. Every sample has a unique value, so that it
 * can be found again.
 */
function aSound(...turns: [speaks: boolean, seconds: number][]) {
  const speech = turns.flatMap(([speaks, seconds]) => Array.from({ length: frames(seconds) }, () => speaks));
  const samples = Float32Array.from({ length: speech.length * FRAME }, (_, index) => index);
  return { samples, speech };
}

const seconds = (piece: Float32Array | undefined) => (piece?.length ?? 0) / RATE;

describe('speechPieces', () => {
  it('hears nothing in silence, and nothing in a click', () => {
    const silence = aSound([false, 60]);
    expect(speechPieces(silence.samples, silence.speech)).toEqual([]);
    expect(speechPieces(new Float32Array(100), [])).toEqual([]);
    const click = aSound([false, 1], [true, 0.064], [false, 1]);
    expect(speechPieces(click.samples, click.speech)).toEqual([]);
  });

  it('keeps speech with a margin, without the silence around it', () => {
    const { samples, speech } = aSound([false, 3.2], [true, 0.64], [false, 6.4]);
    const [piece, ...others] = speechPieces(samples, speech);
    expect(others).toEqual([]);
    expect(piece?.[0]).toBe(3.2 * RATE - 8 * FRAME);
    expect(piece?.at(-1)).toBe(3.84 * RATE + 6 * FRAME - 1);
  });

  it('shortens a long pause and leaves a short one', () => {
    const short = aSound([true, 1.024], [false, 0.384], [true, 1.024]);
    expect(speechPieces(short.samples, short.speech)).toEqual([short.samples]);
    const long = aSound([true, 1.024], [false, 5.12], [true, 1.024]);
    const [piece, ...others] = speechPieces(long.samples, long.speech);
    expect(others).toEqual([]);
    expect(seconds(piece)).toBeCloseTo(2 * 1.024 + (14 * FRAME) / RATE, 5);
  });

  it('divides a long recording at its pauses', () => {
    const { samples, speech } = aSound([true, 9], [false, 1], [true, 4], [false, 1], [true, 4]);
    const pieces = speechPieces(samples, speech);
    expect(pieces).toHaveLength(2);
    expect(seconds(pieces[0])).toBeGreaterThan(13);
    expect(seconds(pieces[0])).toBeLessThanOrEqual(14);
  });

  it('divides speech without a pause at a quiet moment, and loses nothing', () => {
    const speech = Array.from({ length: frames(30) }, () => true);
    const samples = Float32Array.from({ length: speech.length * FRAME }, (_, index) =>
      [11, 22].some((at) => Math.abs(index / RATE - at) < 0.1) ? 0.001 : 0.5,
    );
    const pieces = speechPieces(samples, speech);
    expect(pieces).toHaveLength(3);
    expect(Math.abs(seconds(pieces[0]) - 11)).toBeLessThan(0.11);
    expect(Math.abs(seconds(pieces[1]) - 11)).toBeLessThan(0.22);
    expect(pieces.reduce((sum, piece) => sum + piece.length, 0)).toBe(samples.length);
  });

  it('begins with the same pieces when a recording grows', () => {
    const { samples, speech } = aSound([true, 9], [false, 1], [true, 5], [false, 1], [true, 20]);
    const whole = speechPieces(samples, speech);
    const earlier = speechPieces(samples.subarray(0, 24 * RATE), speech.slice(0, frames(24)));
    expect(earlier[0]).toEqual(whole[0]);
  });
});
