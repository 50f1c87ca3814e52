import { describe, expect, it } from 'vitest';
import { decodeWav, encodeWav, WavError, WavReader } from './wav.ts';

const samples = Float32Array.of(0, 0.25, -0.25, 0.5, -1);

/** A WAV file of any kind. */
function aFile(kind: {
  format: number;
  bits: number;
  channels?: number;
  data: number[];
  more?: number[];
  length?: number;
}): Uint8Array {
  const { format, bits, channels = 1, data, more = [] } = kind;
  const u16 = (n: number) => [n & 255, n >> 8];
  const u32 = (n: number) => [n & 255, (n >> 8) & 255, (n >> 16) & 255, (n >>> 24) & 255];
  const text = (name: string) => [...name].map((letter) => letter.charCodeAt(0));
  const fmt = [
    ...u16(format),
    ...u16(channels),
    ...u32(8_000),
    ...u32((8_000 * channels * bits) / 8),
    ...u16((channels * bits) / 8),
    ...u16(bits),
    ...more,
  ];
  return Uint8Array.from([
    ...text('RIFF'),
    ...u32(0xffffffff),
    ...text('WAVE'),
    ...text('LIST'),
    ...u32(3),
    1,
    2,
    3,
    0,
    ...text('fmt '),
    ...u32(fmt.length),
    ...fmt,
    ...text('data'),
    ...u32(kind.length ?? data.length),
    ...data,
  ]);
}

describe('WAV', () => {
  it('comes back as it went', () => {
    const { samples: back, sampleRate } = decodeWav(encodeWav(samples, 22_050));
    expect(sampleRate).toBe(22_050);
    expect([...back]).toEqual([...samples]);
  });

  it.each([
    ['8 bits', { format: 1, bits: 8, data: [128, 192, 0] }, [0, 0.5, -1]],
    ['24 bits', { format: 1, bits: 24, data: [0, 0, 0x40, 0, 0, 0x80] }, [0.5, -1]],
    ['32 bits', { format: 1, bits: 32, data: [0, 0, 0, 0x40] }, [0.5]],
    ['floats', { format: 3, bits: 32, data: [...new Uint8Array(Float32Array.of(0.125).buffer)] }, [0.125]],
    ['two channels', { format: 1, bits: 16, channels: 2, data: [0, 0x40, 0, 0] }, [0.25]],
    [
      'the extensible kind',
      { format: 0xfffe, bits: 16, data: [0, 0x40], more: [22, 0, 16, 0, 0, 0, 0, 0, 1, 0] },
      [0.5],
    ],
    ['a length that was not known', { format: 1, bits: 16, data: [0, 0x40], length: 0xffffffff }, [0.5]],
    ['a length that is said to be 0', { format: 1, bits: 16, data: [0, 0x40], length: 0 }, [0.5]],
    ['an end in the middle of a sample', { format: 1, bits: 16, data: [0, 0x40, 0], length: 400 }, [0.5]],
  ])('reads %s', (_what, kind, expected) => {
    const { samples: read, sampleRate } = decodeWav(aFile(kind));
    expect([...read]).toEqual(expected);
    expect(sampleRate).toBe(8_000);
  });

  it.each([1, 2, 7, 50])('reads one that comes %i bytes at a time', (size) => {
    const sound = [0, 0x40, 0, 0x80, 0, 0x20];
    const file = [
      ...aFile({ format: 1, bits: 16, data: sound }),
      ...new TextEncoder().encode('LIST\0\0\0\0'),
    ];
    const reader = new WavReader();
    const read: number[] = [];
    for (let at = 0; at < file.length; at += size)
      read.push(...reader.push(Uint8Array.from(file.slice(at, at + size))));
    expect(read).toEqual([0.5, -1, 0.25]);
    expect(reader.end()).toBe(8_000);
  });

  it('knows at once that something else is none', () => {
    expect(() => new WavReader().push(new TextEncoder().encode('<html>not a sound'))).toThrow(WavError);
  });

  it.each([
    ['nothing', new Uint8Array(), 'This is not a WAV file.'],
    ['another file', new TextEncoder().encode('<html>not a sound at all</html>'), 'This is not a WAV file.'],
    [
      'a compressed one',
      aFile({ format: 2, bits: 4, data: [1] }),
      'This WAV file is of a kind that cannot be read; PCM can.',
    ],
    [
      'one of 12 bits',
      aFile({ format: 1, bits: 12, data: [1] }),
      'This WAV file is of a kind that cannot be read; PCM can.',
    ],
    [
      'one without channels',
      aFile({ format: 1, bits: 16, channels: 0, data: [] }),
      'This WAV file is damaged.',
    ],
    ['one that ends early', encodeWav(samples, 8_000).subarray(0, 30), 'This WAV file is damaged.'],
    ['one without sound', encodeWav(samples, 8_000).subarray(0, 36), 'This WAV file holds no sound.'],
  ])('says what is wrong with %s', (_what, file, sentence) => {
    const read = () => decodeWav(file);
    expect(read).toThrow(WavError);
    expect(read).toThrow(sentence);
  });
});
