import { describe, expect, it } from 'vitest';
import { finishSpeech, pauseAfter, SAMPLE_RATE } from './finish.ts';

/** Silence with a faint floor, a tone, silence again; in milliseconds. */
function speech(beforeMs: number, toneMs: number, afterMs: number, amplitude: number): Float32Array {
  const length = Math.round(((beforeMs + toneMs + afterMs) * SAMPLE_RATE) / 1_000);
  const from = (beforeMs * SAMPLE_RATE) / 1_000;
  const to = ((beforeMs + toneMs) * SAMPLE_RATE) / 1_000;
  return Float32Array.from({ length }, (_, index) => {
    const floor = 0.001 * Math.sin(index * 1.7);
    return index >= from && index < to ? amplitude * Math.sin(index * 0.05) : floor;
  });
}

const ms = (samples: Float32Array) => (samples.length / SAMPLE_RATE) * 1_000;
const peak = (samples: Float32Array) => samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0);
const rms = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);

describe('finishSpeech', () => {
  it('cuts the silence at both ends and adds the pause that was asked for', () => {
    const finished = finishSpeech(speech(400, 1_000, 700, 0.3), 200);
    expect(ms(finished)).toBeGreaterThan(1_000 + 200);
    expect(ms(finished)).toBeLessThan(1_000 + 200 + 120);
    const pause = finished.subarray(finished.length - Math.round(0.2 * SAMPLE_RATE));
    expect(peak(pause)).toBe(0);
  });

  it.each([0.05, 0.3, 0.9])('brings speech with peaks of %f to the same loudness', (amplitude) => {
    const finished = finishSpeech(speech(50, 1_000, 50, amplitude), 0);
    const middle = finished.subarray(4_000, 18_000);
    expect(20 * Math.log10(rms(middle))).toBeCloseTo(-18, 0);
  });

  it('never lets a peak come near full scale', () => {
    const spiky = speech(0, 1_000, 0, 0.02);
    spiky[8_000] = 0.6;
    expect(peak(finishSpeech(spiky, 0))).toBeLessThanOrEqual(0.9);
  });

  it('begins and ends softly', () => {
    const finished = finishSpeech(speech(0, 500, 0, 0.5), 0);
    expect(Math.abs(finished[0] ?? 1)).toBeLessThan(0.02);
    expect(Math.abs(finished.at(-1) ?? 1)).toBeLessThan(0.02);
  });

  it('makes only the pause of speech that is silent or absent', () => {
    expect(ms(finishSpeech(new Float32Array(5_000), 100))).toBeCloseTo(100, 0);
    expect(ms(finishSpeech(new Float32Array(0), 100))).toBeCloseTo(100, 0);
  });
});

describe('pauseAfter', () => {
  it('gives a listener longer after a sentence than after a comma', () => {
    expect(pauseAfter('Done.')).toBeGreaterThan(pauseAfter('First,'));
    expect(pauseAfter('First,')).toBeGreaterThan(pauseAfter('and then'));
  });
});
