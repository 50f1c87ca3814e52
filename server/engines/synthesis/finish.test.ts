import { describe, expect, it } from 'vitest';
import { finishSpeech, loudnessOf, pauseAfter, SAMPLE_RATE, SpeechFinish } from './finish.ts';

/** Silence with a faint noise floor, a tone, silence again; in milliseconds. */
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

describe('SpeechFinish', () => {
  const usualDb = loudnessOf(speech(0, 1_000, 0, 0.3));
  const inParts = (samples: Float32Array, sizeMs: number, usual: number | null) => {
    const finish = new SpeechFinish(usual);
    const size = Math.round((sizeMs * SAMPLE_RATE) / 1_000);
    const parts: Float32Array[] = [];
    for (let at = 0; at < samples.length; at += size) {
      finish.add(samples.subarray(at, at + size));
      parts.push(at + size < samples.length ? finish.upToQuiet() : finish.end(100));
    }
    return parts;
  };
  /** Two words with a quiet gap between them. */
  const words = () => {
    const sound = new Float32Array(2 * SAMPLE_RATE);
    sound.set(speech(200, 500, 100, 0.3));
    sound.set(speech(0, 600, 200, 0.3), Math.round(0.8 * SAMPLE_RATE));
    return sound;
  };

  it('gives out in parts what it gives out in one', () => {
    const whole = finishSpeech(words(), 100);
    const parts = inParts(words(), 1_100, null);
    const joined = parts.flatMap((part) => [...part]);
    expect(joined).toHaveLength(whole.length);
    expect(joined.every((sample, n) => Math.abs(sample - (whole[n] ?? 0)) < 0.02)).toBe(true);
  });

  it('ends a part at the quiet moment', () => {
    const [first] = inParts(words(), 900, usualDb);
    // From 25 ms before the first word into the gap.
    expect(ms(first ?? new Float32Array(0))).toBeGreaterThan(500);
    expect(ms(first ?? new Float32Array(0))).toBeLessThan(650);
  });

  it('gives nothing out before something was said', () => {
    const parts = inParts(speech(900, 600, 100, 0.3), 400, usualDb);
    expect(parts.map((part) => part.length > 0)).toEqual([false, false, true, true]);
  });

  it('does not begin with a moment of breath that stands alone', () => {
    const sound = speech(400, 600, 200, 0.3);
    sound.set(speech(0, 20, 0, 0.015), 1_000);
    const [first = new Float32Array(0)] = inParts(sound, 1_000, null);
    expect(ms(first)).toBeLessThan(650);
  });

  it('begins with a soft first word, not with the breath before it', () => {
    const word = speech(300, 300, 0, 0.08);
    const breath = Float32Array.from(
      { length: Math.round(0.3 * SAMPLE_RATE) },
      (_, n) => 0.005 * Math.sin(n * 1.7),
    );
    word.set(breath);
    const sound = new Float32Array(2 * SAMPLE_RATE);
    sound.set(word);
    sound.set(speech(0, 600, 200, 0.3), word.length);
    const [first = new Float32Array(0)] = inParts(sound, 600, usualDb);
    // 25 ms before the speech are kept.
    expect(ms(first)).toBeGreaterThan(100);
    expect(ms(first)).toBeLessThan(350);
  });

  it('does not make what follows softer because it began with a loud syllable', () => {
    const sound = speech(0, 2_000, 0, 0.2);
    sound.set(speech(0, 200, 0, 0.6));
    const [first = new Float32Array(0), second = new Float32Array(0)] = inParts(sound, 1_000, usualDb);
    const gap = 20 * Math.log10(rms(first.subarray(8_000, 10_000)) / rms(second.subarray(8_000, 10_000)));
    expect(Math.abs(gap)).toBeLessThan(3);
    expect(Math.max(peak(first), peak(second))).toBeLessThanOrEqual(0.9);
  });

  it('begins and ends softly, and nowhere else', () => {
    const parts = inParts(speech(0, 2_000, 0, 0.5), 700, usualDb);
    expect(Math.abs(parts[0]?.[0] ?? 1)).toBeLessThan(0.02);
    const seams = parts.slice(1).map((part, n) => Math.abs((part[0] ?? 0) - (parts[n]?.at(-1) ?? 0)));
    expect(Math.max(...seams)).toBeLessThan(0.05);
  });
});

describe('pauseAfter', () => {
  it('gives a listener longer after a sentence than after a comma', () => {
    expect(pauseAfter('Done.')).toBeGreaterThan(pauseAfter('First,'));
    expect(pauseAfter('First,')).toBeGreaterThan(pauseAfter('and then'));
  });
});
