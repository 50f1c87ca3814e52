import { resample } from '#server/audio/resampler';
import { decodeWav, WavError } from '#server/audio/wav';
import { EngineError } from '#server/engines/engine-error';
import { serveWorkerThread, Transfer } from '#server/worker-thread';
import type { Speech } from './contract.ts';
import { finishSpeech, pauseAfter } from './finish.ts';
import { createSpeechEncoder, type EncodeSpeech } from './mp3.ts';
import { SAMPLE_RATE } from './mp3-frames.ts';

/** Methods of the thread that makes speech from elsewhere the same kind of file as the embedded voice's. */
export type OpenAiSpeechMethods = {
  /** @param wav none: a moment of silence */
  encode: (request: { wav: Uint8Array | null; text: string }) => Promise<Speech | Transfer<Speech>>;
};

const SILENCE_MS = 50;

let encoder: Promise<EncodeSpeech> | null = null;

const methods: OpenAiSpeechMethods = {
  async encode({ wav, text }) {
    encoder ??= createSpeechEncoder();
    const encode = await encoder;
    const speech = encode(
      wav ? spoken(wav, text) : new Float32Array(Math.round((SAMPLE_RATE * SILENCE_MS) / 1_000)),
    );
    return new Transfer(speech, [speech.audio.buffer as ArrayBuffer]);
  },
};

function spoken(wav: Uint8Array, text: string): Float32Array {
  try {
    const { samples, sampleRate } = decodeWav(wav);
    return finishSpeech(resample(samples, sampleRate, SAMPLE_RATE), pauseAfter(text));
  } catch (cause) {
    if (!(cause instanceof WavError || cause instanceof RangeError)) throw cause;
    throw new EngineError('The voice sent sound that cannot be read.', { retryable: true, cause });
  }
}

serveWorkerThread(methods);
