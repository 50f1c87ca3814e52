import { type AppError, invalidInput, payloadTooLarge } from '#server/lib/errors';
import { MAX_SPEECH_AUDIO_BYTES } from '#shared/realtime';

/** A piece of a microphone's sound: 16-bit samples, little-endian, one channel. */
export interface SoundChunk {
  pcm: Uint8Array;
  /** Its place in the stream, from 0; null from a client that does not count. */
  index: number | null;
}

/**
 * Reads what a client sent as sound: bytes, or bytes with their place in the stream.
 * @throws AppError saying what is wrong with it
 */
export function readSound(payload: unknown): SoundChunk {
  const numbered = isNumbered(payload);
  const pcm: unknown = numbered ? payload.audio : payload;
  if (!(pcm instanceof Uint8Array)) throw refuse('Send sound as bytes: 16-bit samples, little-endian, mono.');
  if (pcm.byteLength === 0) throw refuse('This piece of sound is empty.');
  if (pcm.byteLength % 2 !== 0) throw refuse('Send whole 16-bit samples: an even number of bytes.');
  if (pcm.byteLength > MAX_SPEECH_AUDIO_BYTES)
    throw payloadTooLarge('Send a second of sound at a time, not more.');
  if (!numbered) return { pcm, index: null };
  const index: unknown = payload.index;
  if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < 0)
    throw refuse('Count the pieces of sound from 0.');
  return { pcm, index };
}

/** What a piece of sound costs a server to take, in thousands of bytes, however wrong it is. */
export function weighSound(payload: unknown): number {
  const pcm: unknown = isNumbered(payload) ? payload.audio : payload;
  const bytes = pcm instanceof Uint8Array ? pcm.byteLength : 0;
  return WEIGHT_OF_ANY + Math.ceil(bytes / 1000);
}

const WEIGHT_OF_ANY = 4;

const refuse = (sentence: string): AppError => invalidInput(sentence);

const isNumbered = (payload: unknown): payload is { index: unknown; audio: unknown } =>
  typeof payload === 'object' &&
  payload !== null &&
  !(payload instanceof Uint8Array) &&
  Object.hasOwn(payload, 'audio') &&
  Object.hasOwn(payload, 'index');
