import type { Speech } from './contract.ts';
import {
  ENCODER_DELAY,
  FRAME_SAMPLES,
  isTagged,
  joinFiles,
  MEDIA_TYPE,
  readFrames,
  SAMPLE_RATE,
  toMs,
  withTag,
} from './mp3-frames.ts';

/**
 * One playable file of several sentences in order, e.g. of a whole reply. Costs a copy, not an encoding. Speech of
 * another engine is put end to end as it is.
 * @param parts at least one, all of one engine
 */
export function joinSpeech(parts: readonly Speech[]): Speech {
  const [first] = parts;
  if (!first) throw new RangeError('There is nothing to join.');
  if (parts.length === 1) return first;
  const files = parts.map((part) => part.audio);
  if (!files.every(isTagged))
    return {
      audio: Buffer.concat(files),
      mediaType: first.mediaType,
      durationMs: parts.reduce((sum, part) => sum + part.durationMs, 0),
    };
  const { file, samples } = joinFiles(files);
  return { audio: file, mediaType: MEDIA_TYPE, durationMs: toMs(samples) };
}

/** Samples that decoders are late by themselves (LAME's constant DECDELAY and one); they skip them, too. */
const DECODER_DELAY = 529;
const SKIPPED = ENCODER_DELAY + DECODER_DELAY;

/**
 * The beginning of a file of this engine, to the nearest frame (26 ms): frames only ever need earlier ones, so nothing is
 * encoded again.
 * @param ms milliseconds from its beginning
 * @returns null for a file of another engine, or when less than half a frame would be left
 */
export function cutSpeech({ audio }: Pick<Speech, 'audio' | 'mediaType'>, ms: number): Speech | null {
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
