import { toPcm16 } from './pcm16.ts';

interface WavSound {
  /** Mono, -1 to 1; several channels are mixed. */
  samples: Float32Array<ArrayBuffer>;
  /** In Hz. */
  sampleRate: number;
}

/** What is wrong with a file, in a sentence that is safe to show. */
export class WavError extends Error {
  override readonly name = 'WavError';
}

const HEADER = 44;
const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;
const MOST_CHANNELS = 32;

/** A WAV file (RIFF, 16 bits, mono) of these samples (-1 to 1). @param sampleRate in Hz */
export function encodeWav(samples: Float32Array, sampleRate: number): Uint8Array<ArrayBuffer> {
  const data = toPcm16(samples);
  const file = new Uint8Array(HEADER + data.byteLength);
  const view = new DataView(file.buffer);
  const name = (at: number, text: string) => file.set(new TextEncoder().encode(text), at);
  name(0, 'RIFF');
  view.setUint32(4, HEADER - 8 + data.byteLength, true);
  name(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, PCM, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  name(36, 'data');
  view.setUint32(40, data.byteLength, true);
  file.set(data, HEADER);
  return file;
}

/**
 * Reads a WAV file of 8, 16, 24 or 32 bits or 32-bit floats. One whose end is missing, or that was written to a pipe and
 * does not know its length, is read as far as it goes.
 * @throws WavError for anything else
 */
export function decodeWav(file: Uint8Array): WavSound {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const nameAt = (at: number) => String.fromCharCode(...file.subarray(at, at + 4));
  if (file.byteLength < 12 || nameAt(0) !== 'RIFF' || nameAt(8) !== 'WAVE')
    throw new WavError('This is not a WAV file.');
  let format: Format | null = null;
  for (let at = 12; at + 8 <= file.byteLength; ) {
    const length = view.getUint32(at + 4, true);
    const start = at + 8;
    const end = Math.min(start + length, file.byteLength);
    if (nameAt(at) === 'fmt ') format = readFormat(view, start, end);
    if (nameAt(at) === 'data') {
      if (!format) break;
      return { samples: readSamples(view, start, end, format), sampleRate: format.sampleRate };
    }
    at = start + length + (length % 2);
  }
  throw new WavError('This WAV file holds no sound.');
}

interface Format {
  isFloat: boolean;
  bytes: number;
  channels: number;
  sampleRate: number;
}

function readFormat(view: DataView, start: number, end: number): Format {
  if (end - start < 16) throw new WavError('This WAV file is damaged.');
  const kind = view.getUint16(start, true);
  const actual = kind === EXTENSIBLE && end - start >= 26 ? view.getUint16(start + 24, true) : kind;
  const channels = view.getUint16(start + 2, true);
  const sampleRate = view.getUint32(start + 4, true);
  const bits = view.getUint16(start + 14, true);
  const isFloat = actual === FLOAT;
  const isKnown = isFloat ? bits === 32 : actual === PCM && [8, 16, 24, 32].includes(bits);
  if (!isKnown) throw new WavError('This WAV file is of a kind that cannot be read; PCM can.');
  if (channels < 1 || channels > MOST_CHANNELS || sampleRate < 1)
    throw new WavError('This WAV file is damaged.');
  return { isFloat, bytes: bits / 8, channels, sampleRate };
}

function readSamples(view: DataView, start: number, end: number, format: Format): Float32Array<ArrayBuffer> {
  const { bytes, channels } = format;
  const read = readerOf(format);
  const samples = new Float32Array(Math.floor((end - start) / (bytes * channels)));
  for (let index = 0; index < samples.length; index++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++)
      sum += read(view, start + (index * channels + channel) * bytes);
    samples[index] = sum / channels;
  }
  return samples;
}

function readerOf({ isFloat, bytes }: Format): (view: DataView, at: number) => number {
  if (isFloat) return (view, at) => view.getFloat32(at, true);
  if (bytes === 1) return (view, at) => (view.getUint8(at) - 128) / 128;
  if (bytes === 2) return (view, at) => view.getInt16(at, true) / 2 ** 15;
  if (bytes === 3) return (view, at) => (view.getInt8(at + 2) * 2 ** 16 + view.getUint16(at, true)) / 2 ** 23;
  return (view, at) => view.getInt32(at, true) / 2 ** 31;
}
