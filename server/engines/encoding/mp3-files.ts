import type { SoundFile } from './contract.ts';
import {
  ENCODER_DELAY,
  FRAME_SAMPLES,
  isTagged,
  MEDIA_TYPE,
  readFrames,
  SAMPLE_RATE,
  toMs,
  withTag,
} from './mp3-frames.ts';

/** Decoder delay in samples (LAME's constant DECDELAY plus one); decoders skip it themselves. */
const DECODER_DELAY = 529;
const SKIPPED = ENCODER_DELAY + DECODER_DELAY;

/**
 * See `SoundEncoder.cut`: cuts to the nearest frame (26 ms). Frames depend only on earlier ones, so nothing
 * is encoded again; null when less than half a frame would be left.
 */
export function cutFile({ audio }: Pick<SoundFile, 'audio' | 'mediaType'>, ms: number): SoundFile | null {
  if (!isTagged(audio)) return null;
  const [, ...frames] = readFrames(audio);
  const wanted = Math.round(((ms / 1_000) * SAMPLE_RATE + SKIPPED) / FRAME_SAMPLES);
  const kept = frames.slice(0, wanted);
  const [first, last] = [kept.at(0), kept.at(-1)];
  if (!first || !last || kept.length * FRAME_SAMPLES < SKIPPED + FRAME_SAMPLES / 2) return null;
  const stream = audio.subarray(first.start, last.start + last.bytes);
  return {
    audio: withTag(stream, readFrames(stream), 0),
    mediaType: MEDIA_TYPE,
    durationMs: toMs(kept.length * FRAME_SAMPLES - SKIPPED),
  };
}

/** See `SoundEncoder.streamed`: drops the first frame, which holds no sound. */
export function streamedFile({ audio }: Pick<SoundFile, 'audio'>): Uint8Array {
  const [tag] = isTagged(audio) ? readFrames(audio) : [];
  return tag ? audio.subarray(tag.bytes) : audio;
}
