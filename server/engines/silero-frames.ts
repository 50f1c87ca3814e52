import { createRequire } from 'node:module';

/** Samples of one frame at 16 kHz, as the model was trained on. */
export const SILERO_FRAME = 512;
/** The model sees so many samples before each frame as well. */
const CONTEXT = 64;
/** A moment too short to count a single sample: the library then decides frame by frame and smooths nothing. */
const AT_ONCE = 1e-5;
/** Beyond so much speech the library would become stricter; the frames are let go one by one, so that never comes. */
const MAX_SPEECH_S = 60;
const BUFFER_S = 1;

/** The part of sherpa-onnx-node that is used; it ships no types. */
interface SherpaOnnx {
  Vad: new (
    config: {
      sileroVad: {
        model: string;
        threshold: number;
        minSpeechDuration: number;
        minSilenceDuration: number;
        maxSpeechDuration: number;
        windowSize: number;
      };
      sampleRate: number;
      numThreads: number;
      provider: string;
    },
    bufferSeconds: number,
  ) => Vad;
}
interface Vad {
  acceptWaveform(samples: Float32Array): void;
  isDetected(): boolean;
  flush(): void;
  clear(): void;
  reset(): void;
}

/**
 * Silero VAD (MIT, github.com/snakers4/silero-vad) over one stream, decision by decision. Speech begins with the second
 * frame in a row whose probability exceeds `threshold` and ends with the first one below `threshold` − 0.15.
 * Computes in the calling thread: for worker threads only. One takes some 10 MB, so they are reused.
 */
export class SileroFrames {
  readonly #vad: Vad;

  /** @throws when the model cannot be loaded */
  constructor(model: string, threshold: number) {
    const { Vad }: SherpaOnnx = createRequire(import.meta.url)('sherpa-onnx-node');
    this.#vad = new Vad(
      {
        sileroVad: {
          model,
          threshold,
          minSpeechDuration: AT_ONCE,
          minSilenceDuration: AT_ONCE,
          maxSpeechDuration: MAX_SPEECH_S,
          windowSize: SILERO_FRAME,
        },
        sampleRate: 16_000,
        numThreads: 1,
        provider: 'cpu',
      },
      BUFFER_S,
    );
    this.reset();
  }

  /** @param frame SILERO_FRAME samples @returns whether somebody speaks in it */
  accept(frame: Float32Array): boolean {
    this.#vad.acceptWaveform(frame);
    const speaks = this.#vad.isDetected();
    // What the library keeps of an utterance is not needed, and would grow with it.
    this.#vad.flush();
    this.#vad.clear();
    return speaks;
  }

  /** Forgets the stream. */
  reset(): void {
    this.#vad.reset();
    // Without these the library would wait for 64 samples more before each decision.
    this.#vad.acceptWaveform(new Float32Array(CONTEXT));
  }
}
