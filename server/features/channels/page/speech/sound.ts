import { invalidInput, payloadTooLarge } from '#server/lib/errors';
import { MAX_SPEECH_AUDIO_BYTES } from '#shared/realtime';

/** A piece of a microphone's sound: 16-bit samples, little-endian, one channel. */
export interface SoundChunk {
  pcm: Uint8Array;
  /** Its place in the stream, from 0; null from a client that does not count. */
  index: number | null;
}

/**
 * Reads a client's sound: bytes, or bytes with their place in the stream.
 * @throws AppError with the problem
 */
export function readSound(payload: unknown): SoundChunk {
  const numbered = isNumbered(payload);
  const pcm: unknown = numbered ? payload.audio : payload;
  if (!(pcm instanceof Uint8Array)) throw invalidInput('calls.sound-as-bytes');
  if (pcm.byteLength === 0) throw invalidInput('calls.sound-empty');
  if (pcm.byteLength % 2 !== 0) throw invalidInput('calls.sound-whole-samples');
  if (pcm.byteLength > MAX_SPEECH_AUDIO_BYTES) throw payloadTooLarge('calls.sound-too-long');
  if (!numbered) return { pcm, index: null };
  const index: unknown = payload.index;
  if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < 0)
    throw invalidInput('calls.sound-count');
  return { pcm, index };
}

/** The cost of handling a piece of sound, in thousands of bytes, even if it is invalid. */
export function weighSound(payload: unknown): number {
  const pcm: unknown = isNumbered(payload) ? payload.audio : payload;
  const bytes = pcm instanceof Uint8Array ? pcm.byteLength : 0;
  return WEIGHT_OF_ANY + Math.ceil(bytes / 1000);
}

const WEIGHT_OF_ANY = 4;

const isNumbered = (payload: unknown): payload is { index: unknown; audio: unknown } =>
  typeof payload === 'object' &&
  payload !== null &&
  !(payload instanceof Uint8Array) &&
  Object.hasOwn(payload, 'audio') &&
  Object.hasOwn(payload, 'index');
