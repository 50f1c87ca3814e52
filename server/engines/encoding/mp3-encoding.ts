import { createMp3Encoder as openLame } from 'wasm-media-encoders';
import type { Sound } from '#server/audio/sound';
import type { SoundFile } from './contract.ts';
import {
  ENCODER_DELAY,
  FRAME_SAMPLES,
  MEDIA_TYPE,
  readFrames,
  SAMPLE_RATE,
  toMs,
  withTag,
} from './mp3-frames.ts';

/**
 * LAME's variable-bitrate quality: about 6.5 kB for a second of speech with the whole band up to 11 kHz.
 * Measured against constant 48 kbit/s (6.1 kB): 7 dB less distortion and a fifth less time.
 */
const VBR_QUALITY = 5;
/** Seconds encoded per step, some 2 ms of work each. */
const SLICE_SECONDS = 0.5;

/** Encodes one sound in steps, so that other work can run between them. One sound after the other. */
export type EncodeMp3 = (sound: Sound) => Generator<undefined, SoundFile>;

/** Loads an encoder; encoding takes some 3 ms per second of speech, on the thread that takes the steps. */
export async function openMp3Encoding(): Promise<EncodeMp3> {
  const lame = await openLame();
  return function* encode({ samples, sampleRate }) {
    lame.configure({ sampleRate, outputSampleRate: SAMPLE_RATE, channels: 1, vbrQuality: VBR_QUALITY });
    const parts: Uint8Array[] = [];
    const step = Math.ceil(sampleRate * SLICE_SECONDS);
    for (let at = 0; at < samples.length; at += step) {
      parts.push(lame.encode([samples.subarray(at, at + step)]).slice());
      yield;
    }
    parts.push(lame.finalize().slice());
    return toFile(parts, Math.round((samples.length * SAMPLE_RATE) / sampleRate));
  };
}

/**
 * Wraps the encoder's output in a file that states its length.
 * @param samples number of input samples, at SAMPLE_RATE
 */
function toFile(parts: readonly Uint8Array[], samples: number): SoundFile {
  const stream = Buffer.concat(parts);
  const frames = readFrames(stream);
  const padding = Math.max(0, frames.length * FRAME_SAMPLES - ENCODER_DELAY - samples);
  return { audio: withTag(stream, frames, padding), mediaType: MEDIA_TYPE, durationMs: toMs(samples) };
}
