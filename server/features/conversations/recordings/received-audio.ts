import { invalidInput, payloadTooLarge, unsupportedRecording } from '#server/lib/errors';
import { MAX_RECORDING_BYTES } from '#shared/recordings';
import { refusal } from '#shared/refusals/refusal';
import { type AudioFile, HEAD_BYTES, tellAudio } from './audio-file.ts';
import type { LengthMeter } from './container-lengths.ts';

/** A recording being received: recognises its kind while it passes. */
export class ReceivedAudio {
  readonly #source: AsyncIterable<Uint8Array>;
  #kind: AudioFile | null = null;
  #meter: LengthMeter | null = null;
  #bytes = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source;
  }

  /**
   * Waits for enough bytes to recognise it.
   * @returns its media type, and its bytes to store
   * @throws AppError if it is no recording, or of a kind that cannot be played
   */
  async begin(): Promise<{ mediaType: string; bytes: AsyncIterable<Uint8Array> }> {
    const source = this.#source[Symbol.asyncIterator]();
    try {
      const first: Uint8Array[] = [];
      let length = 0;
      let isWhole = false;
      while (length < HEAD_BYTES && !isWhole) {
        const step = await source.next();
        if (step.done) isWhole = true;
        else {
          first.push(step.value);
          length += step.value.byteLength;
        }
      }
      if (length === 0) throw emptyRecording();
      const head = Buffer.concat(first);
      this.#kind = tellAudio(head);
      if (!this.#kind) throw unsupportedRecording();
      this.#meter = this.#kind.measure?.() ?? null;
      return { mediaType: this.#kind.mediaType, bytes: this.#pass(head, source) };
    } catch (error) {
      await source.return?.();
      throw error;
    }
  }

  /** Length in bytes, and playing time if known. Valid after the end of the stream. */
  get measures(): { bytes: number; durationMs: number | null } {
    return {
      bytes: this.#bytes,
      durationMs: this.#kind?.durationMs(this.#bytes) ?? this.#meter?.durationMs() ?? null,
    };
  }

  async *#pass(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield this.#count(head);
      for (let step = await rest.next(); !step.done; step = await rest.next()) yield this.#count(step.value);
      if (this.#kind?.isEmpty(this.#bytes)) throw emptyRecording();
    } finally {
      await rest.return?.();
    }
  }

  #count(chunk: Uint8Array): Uint8Array {
    this.#bytes += chunk.byteLength;
    if (this.#bytes > MAX_RECORDING_BYTES) throw recordingTooLarge();
    this.#meter?.take(chunk);
    return chunk;
  }
}

export const recordingTooLarge = () =>
  payloadTooLarge(refusal('conversations.recording-too-large', { megabytes: 25 }));

const emptyRecording = () => invalidInput('conversations.recording-empty', 'audio');
