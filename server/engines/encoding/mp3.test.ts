import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeMp3 } from '../../../tests/support/decode-mp3.ts';
import { createMp3Encoder } from './mp3.ts';

const encoder = createMp3Encoder();
beforeAll(() => encoder.warmUp());
afterAll(() => encoder.close());

const tone = (sampleRate: number, seconds: number, hertz = 440) =>
  Float32Array.from(
    { length: sampleRate * seconds },
    (_, n) => 0.4 * Math.sin((2 * Math.PI * hertz * n) / sampleRate),
  );

/** Pitch in Hz, by counting upward zero crossings. */
function pitch(samples: Float32Array, sampleRate: number): number {
  let crossings = 0;
  for (let n = 1; n < samples.length; n++)
    if ((samples[n - 1] ?? 0) < 0 && (samples[n] ?? 0) >= 0) crossings += 1;
  return (crossings * sampleRate) / samples.length;
}

describe('createMp3Encoder', () => {
  it.each([8_000, 16_000, 24_000, 44_100, 48_000])(
    'makes a file of sound at %i Hz that plays as long and as high',
    async (sampleRate) => {
      const file = await encoder.encode({ samples: tone(sampleRate, 2), sampleRate }, 'later');
      expect(file).toMatchObject({ mediaType: 'audio/mpeg', durationMs: 2_000 });
      const decoded = await decodeMp3(file.audio);
      expect(decoded.samples.length / decoded.sampleRate).toBeCloseTo(2, 1);
      expect(Math.abs(pitch(decoded.samples, decoded.sampleRate) - 440)).toBeLessThan(6);
    },
  );

  it('keeps sounds apart that come at the same time', async () => {
    const files = await Promise.all([
      encoder.encode({ samples: tone(16_000, 2, 300), sampleRate: 16_000 }, 'later'),
      encoder.encode({ samples: tone(16_000, 1, 900), sampleRate: 16_000 }, 'later'),
      encoder.encode({ samples: tone(22_050, 3, 600), sampleRate: 22_050 }, 'now'),
      encoder.encode({ samples: tone(22_050, 1, 500), sampleRate: 22_050 }, 'now'),
    ]);
    const hertz = await Promise.all(
      files.map(async ({ audio }) => {
        const { samples, sampleRate } = await decodeMp3(audio);
        return Math.round(pitch(samples, sampleRate) / 100) * 100;
      }),
    );
    expect(hertz).toEqual([300, 900, 600, 500]);
    expect(files.map(({ durationMs }) => durationMs)).toEqual([2_000, 1_000, 3_000, 1_000]);
  });

  it('lets what somebody waits for overtake what is only kept', async () => {
    const done: string[] = [];
    const long = encoder
      .encode({ samples: tone(16_000, 60), sampleRate: 16_000 }, 'later')
      .then(() => done.push('long'));
    const awaited = encoder
      .encode({ samples: tone(22_050, 1), sampleRate: 22_050 }, 'now')
      .then(() => done.push('awaited'));
    await Promise.all([long, awaited]);
    expect(done).toEqual(['awaited', 'long']);
  });

  it('encodes a sound once', async () => {
    const sound = { samples: tone(22_050, 1), sampleRate: 22_050 };
    const file = await encoder.encode(sound, 'now');
    expect(await encoder.encode(sound, 'later')).toBe(file);
    expect(sound.samples).toHaveLength(22_050);
  });

  it('goes on after a sound that it cannot take', async () => {
    await expect(
      encoder.encode({ samples: tone(16_000, 1), sampleRate: Number.NaN }, 'now'),
    ).rejects.toBeInstanceOf(RangeError);
    const file = await encoder.encode({ samples: tone(16_000, 1), sampleRate: 16_000 }, 'now');
    expect(file.durationMs).toBe(1_000);
  });

  it('starts its thread again after it was stopped', async () => {
    const other = createMp3Encoder();
    await other.warmUp();
    const lost = other.encode({ samples: tone(16_000, 60), sampleRate: 16_000 }, 'later');
    const refused = expect(lost).rejects.toMatchObject({ name: 'EngineError', retryable: true });
    await other.close();
    await refused;
    expect((await other.encode({ samples: tone(16_000, 1), sampleRate: 16_000 }, 'later')).durationMs).toBe(
      1_000,
    );
    await other.close();
  });

  it('keeps nobody waiting longer than they would', async () => {
    const other = createMp3Encoder({ patienceMs: 1 });
    const sound = { samples: tone(16_000, 1), sampleRate: 16_000 };
    await expect(other.encode(sound, 'now')).rejects.toMatchObject({ name: 'EngineError', retryable: true });
    expect((await other.encode(sound, 'later')).durationMs).toBe(1_000);
    await other.close();
  });

  it('is some 6 kB a second', async () => {
    const noisy = tone(16_000, 4).map((value, n) => value * (0.6 + 0.4 * Math.sin(n / 900)));
    const { audio } = await encoder.encode({ samples: noisy, sampleRate: 16_000 }, 'later');
    expect(audio.byteLength / 4).toBeLessThan(9_000);
  });
});
