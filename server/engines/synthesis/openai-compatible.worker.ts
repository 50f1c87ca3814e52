import { resample } from '#server/audio/resampler';
import type { Sound } from '#server/audio/sound';
import { decodeWav, WavError } from '#server/audio/wav';
import { EngineError } from '#server/engines/engine-error';
import { serveWorkerThread, Transfer } from '#server/worker-thread';
import { finishSpeech, momentOfSilence, pauseAfter, SAMPLE_RATE } from './finish.ts';

/** Methods of the thread that makes speech from elsewhere sound like the embedded voice's. */
export type OpenAiSpeechMethods = {
  /** @param wav none: a moment of silence */
  finish: (request: { wav: Uint8Array | null; text: string }) => Transfer<Sound>;
};

const methods: OpenAiSpeechMethods = {
  finish({ wav, text }) {
    const sound = wav ? { samples: spoken(wav, text), sampleRate: SAMPLE_RATE } : momentOfSilence();
    return new Transfer(sound, [sound.samples.buffer as ArrayBuffer]);
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
