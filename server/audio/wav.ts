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
/** How long it is, where nobody knows yet; some write 0. */
const UNKNOWN = 0xffff_ffff;
const MOST_FORMAT_BYTES = 1_000;
const MOST_CHANNELS = 32;

/** A WAV file (RIFF, 16 bits, mono) of these samples (-1 to 1). @param sampleRate in Hz */
export function encodeWav(samples: Float32Array, sampleRate: number): Uint8Array<ArrayBuffer> {
  const data = toPcm16(samples);
  const file = new Uint8Array(HEADER + data.byteLength);
  file.set(wavHeader(sampleRate, data.byteLength));
  file.set(data, HEADER);
  return file;
}

/**
 * What stands before the sound (PCM16, mono) in a WAV file.
 * @param sampleRate in Hz
 * @param bytes of the sound; without it as written to a pipe: as much as comes
 */
export function wavHeader(sampleRate: number, bytes?: number): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(HEADER);
  const view = new DataView(header.buffer);
  const name = (at: number, text: string) => header.set(new TextEncoder().encode(text), at);
  name(0, 'RIFF');
  view.setUint32(4, bytes === undefined ? UNKNOWN : HEADER - 8 + bytes, true);
  name(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, PCM, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  name(36, 'data');
  view.setUint32(40, bytes ?? UNKNOWN, true);
  return header;
}

/**
 * Reads a WAV file of 8, 16, 24 or 32 bits or 32-bit floats. One whose end is missing, or that was written to a pipe and
 * does not know its length, is read as far as it goes.
 * @throws WavError for anything else
 */
export function decodeWav(file: Uint8Array): WavSound {
  const reader = new WavReader();
  const samples = reader.push(file);
  return { samples, sampleRate: reader.end() };
}

/** `decodeWav` for a file that comes in parts. What is given out, end to end, is what the whole file holds. */
export class WavReader {
  /** Came, and was not read. */
  #open: Uint8Array = new Uint8Array(0);
  #isWav = false;
  /** Bytes to be passed over. */
  #toSkip = 0;
  #format: Format | null = null;
  /** Bytes of sound that are still to come; null before it begins. */
  #soundLeft: number | null = null;

  /** In Hz; null until the sound begins. */
  get sampleRate(): number | null {
    return this.#soundLeft === null || !this.#format ? null : this.#format.sampleRate;
  }

  /** @throws WavError as soon as it is known to be none that can be read */
  push(bytes: Uint8Array): Float32Array<ArrayBuffer> {
    this.#open = this.#open.length === 0 ? bytes : Buffer.concat([this.#open, bytes]);
    while (this.#soundLeft === null && this.#readOn());
    if (this.#soundLeft === null || !this.#format) return new Float32Array(0);
    const frame = this.#format.bytes * this.#format.channels;
    const came = Math.min(this.#open.length, this.#soundLeft);
    const end = came - (came % frame);
    const samples = readSamples(this.#view, 0, end, this.#format);
    this.#soundLeft -= end;
    // What stands behind the sound is passed over.
    this.#open = this.#soundLeft < frame ? new Uint8Array(0) : Uint8Array.from(this.#open.subarray(end));
    return samples;
  }

  /** All has come. @returns the rate of the sound, in Hz @throws WavError when it holds none */
  end(): number {
    if (this.sampleRate !== null) return this.sampleRate;
    if (!this.#isWav) throw new WavError('This is not a WAV file.');
    throw new WavError(
      this.#nameAt(0) === 'fmt ' ? 'This WAV file is damaged.' : 'This WAV file holds no sound.',
    );
  }

  /** Reads what stands before the sound, a step. @returns whether it could */
  #readOn(): boolean {
    if (!this.#isWav) {
      if (this.#open.length < 12) return false;
      if (this.#nameAt(0) !== 'RIFF' || this.#nameAt(8) !== 'WAVE')
        throw new WavError('This is not a WAV file.');
      this.#isWav = true;
      this.#pass(12);
    }
    this.#pass(0);
    if (this.#toSkip > 0 || this.#open.length < 8) return false;
    const length = this.#view.getUint32(4, true);
    const padded = length + (length % 2);
    if (this.#nameAt(0) === 'data') {
      if (!this.#format) throw new WavError('This WAV file holds no sound.');
      this.#soundLeft = length === UNKNOWN || length === 0 ? Number.POSITIVE_INFINITY : length;
      this.#pass(8);
    } else if (this.#nameAt(0) === 'fmt ') {
      if (length > MOST_FORMAT_BYTES) throw new WavError('This WAV file is damaged.');
      if (this.#open.length < 8 + length) return false;
      this.#format = readFormat(this.#view, 8, 8 + length);
      this.#pass(8 + padded);
    } else this.#pass(8 + padded);
    return true;
  }

  /** Passes over so many bytes more, those among them that have come at once. */
  #pass(bytes: number): void {
    const toSkip = this.#toSkip + bytes;
    const now = Math.min(toSkip, this.#open.length);
    this.#open = this.#open.subarray(now);
    this.#toSkip = toSkip - now;
  }

  get #view(): DataView {
    return new DataView(this.#open.buffer, this.#open.byteOffset, this.#open.byteLength);
  }

  #nameAt(at: number): string {
    return String.fromCharCode(...this.#open.subarray(at, at + 4));
  }
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
