import { setImmediate as breathe } from 'node:timers/promises';
import { createMp3Encoder } from 'wasm-media-encoders';
import type { Speech } from './contract.ts';
import { toFile, VBR_QUALITY } from './mp3.ts';
import { SAMPLE_RATE } from './mp3-frames.ts';

/** Sound as a microphone gave it. */
export interface Sound {
  /** Mono, from -1 to 1. Nobody may change them until they are encoded. */
  samples: Float32Array;
  /** Samples in a second: 8,000 to 48,000. */
  sampleRate: number;
}

export type EncodeSound = (sound: Sound) => Promise<Speech>;

/** Seconds encoded in one go, some 2 ms each: who waits for the thread meanwhile does not notice. */
const SLICE_SECONDS = 0.5;

/**
 * Makes the file that is kept of what somebody said, the same kind as the voice's own. In slices and one sound after the
 * other, so that a long one holds nobody up: no thread of its own is needed for some 4 ms of work a second of speech,
 * which becomes 4.3 kB. The encoder is loaded with the first sound. Rejects with a RangeError for sound at another rate.
 */
export function createSoundEncoder(): EncodeSound {
  let loading: ReturnType<typeof createMp3Encoder> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const encode: EncodeSound = async ({ samples, sampleRate }) => {
    if (!(sampleRate >= 8_000 && sampleRate <= 48_000))
      throw new RangeError('Sound is encoded at 8,000 to 48,000 samples a second.');
    loading ??= createMp3Encoder();
    const encoder = await loading;
    encoder.configure({ sampleRate, outputSampleRate: SAMPLE_RATE, channels: 1, vbrQuality: VBR_QUALITY });
    const parts: Uint8Array[] = [];
    const step = Math.ceil(sampleRate * SLICE_SECONDS);
    for (let at = 0; at < samples.length; at += step) {
      parts.push(encoder.encode([samples.subarray(at, at + step)]).slice());
      await breathe();
    }
    parts.push(encoder.finalize().slice());
    return toFile(parts, Math.round((samples.length * SAMPLE_RATE) / sampleRate));
  };

  return (sound) => {
    const next = last.then(() => encode(sound));
    last = next.catch(() => {});
    return next;
  };
}
