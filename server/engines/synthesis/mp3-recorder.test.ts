import { MPEGDecoder } from 'mpg123-decoder';
import { describe, expect, it } from 'vitest';
import { createSoundEncoder } from './mp3-recorder.ts';

async function decode(audio: Uint8Array): Promise<{ samples: Float32Array; sampleRate: number }> {
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    const { channelData, sampleRate } = decoder.decode(audio);
    return { samples: (channelData[0] ?? new Float32Array()).slice(), sampleRate };
  } finally {
    decoder.free();
  }
}

const tone = (sampleRate: number, seconds: number, hertz = 440) =>
  Float32Array.from(
    { length: sampleRate * seconds },
    (_, n) => 0.4 * Math.sin((2 * Math.PI * hertz * n) / sampleRate),
  );

/** Hertz, by how often the sound passes through zero upwards. */
function pitch(samples: Float32Array, sampleRate: number): number {
  let crossings = 0;
  for (let n = 1; n < samples.length; n++)
    if ((samples[n - 1] ?? 0) < 0 && (samples[n] ?? 0) >= 0) crossings += 1;
  return (crossings * sampleRate) / samples.length;
}

describe('createSoundEncoder', () => {
  it.each([8_000, 16_000, 24_000, 44_100, 48_000])(
    'makes a file of sound at %i Hz that plays as long and as high',
    async (sampleRate) => {
      const speech = await createSoundEncoder()({ samples: tone(sampleRate, 2), sampleRate });
      expect(speech).toMatchObject({ mediaType: 'audio/mpeg', durationMs: 2_000 });
      const decoded = await decode(speech.audio);
      expect(decoded.samples.length / decoded.sampleRate).toBeCloseTo(2, 1);
      expect(Math.abs(pitch(decoded.samples, decoded.sampleRate) - 440)).toBeLessThan(6);
    },
  );

  it('keeps sounds apart that come at the same time', async () => {
    const encode = createSoundEncoder();
    const [low, high] = await Promise.all([
      encode({ samples: tone(16_000, 2, 300), sampleRate: 16_000 }),
      encode({ samples: tone(16_000, 1, 900), sampleRate: 16_000 }),
    ]);
    const hertz = async (audio: Uint8Array) => {
      const { samples, sampleRate } = await decode(audio);
      return Math.round(pitch(samples, sampleRate) / 100) * 100;
    };
    expect([await hertz(low.audio), await hertz(high.audio)]).toEqual([300, 900]);
    expect([low.durationMs, high.durationMs]).toEqual([2_000, 1_000]);
  });

  it('lets others go on while it works', async () => {
    let turns = 0;
    const others = setInterval(() => {
      turns += 1;
    }, 0);
    await createSoundEncoder()({ samples: tone(16_000, 20), sampleRate: 16_000 });
    clearInterval(others);
    expect(turns).toBeGreaterThan(5);
  });

  it('goes on after a sound that it cannot take', async () => {
    const encode = createSoundEncoder();
    await expect(encode({ samples: tone(16_000, 1), sampleRate: Number.NaN })).rejects.toThrow();
    expect((await encode({ samples: tone(16_000, 1), sampleRate: 16_000 })).durationMs).toBe(1_000);
  });

  it('is some 6 kB a second', async () => {
    const noisy = tone(16_000, 4).map((value, n) => value * (0.6 + 0.4 * Math.sin(n / 900)));
    const { audio } = await createSoundEncoder()({ samples: noisy, sampleRate: 16_000 });
    expect(audio.byteLength / 4).toBeLessThan(9_000);
  });
});
