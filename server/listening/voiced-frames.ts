import { VOICE_FRAME_SAMPLES, type VoiceDetector } from '#server/engines/voice-activity/contract';
import { EngineError } from '#server/lib/engine-error';
import { toMs, toSamples } from './sound.ts';

/**
 * Sound that may wait for the engines: enough for a burst or a stumble; a flooding client cannot fill the
 * memory.
 */
const MAX_WAITING = toSamples(30_000);
/** Frames handed to the detector at once, so that a backlog takes fewer messages. */
const MAX_BATCH_FRAMES = 32;

/** Tries with the same sound. */
const ATTEMPTS = 3;

interface VoicedFramesHandler {
  /** Takes one frame of 32 ms. If it returns a promise, the next frame waits for it. */
  frame(samples: Float32Array, isVoiced: boolean): Promise<void> | undefined;
  /** Sound was dropped because too much was waiting; called once per flood. */
  overrun(): void;
  /** The detector or the handler failed. Nothing more follows. */
  failed(error: unknown): void;
}

/** Cuts a stream of samples into frames and reports each, in order, with its voice activity. */
export class VoicedFrames {
  readonly #detector: VoiceDetector;
  readonly #handler: VoicedFramesHandler;
  #waiting: Float32Array[] = [];
  #waitingSamples = 0;
  #partial = new Float32Array(VOICE_FRAME_SAMPLES);
  #partialSamples = 0;
  #flooded = false;
  #closed = false;
  #pump: Promise<void> | null = null;

  constructor(detector: VoiceDetector, handler: VoicedFramesHandler) {
    this.#detector = detector;
    this.#handler = handler;
  }

  get waitingMs(): number {
    return toMs(this.#waitingSamples);
  }

  /** Copies the samples and returns at once. */
  accept(samples: Float32Array): void {
    if (this.#closed) return;
    let at = 0;
    while (at < samples.length) {
      if (this.#waitingSamples >= MAX_WAITING) {
        if (!this.#flooded) this.#handler.overrun();
        this.#flooded = true;
        break;
      }
      const taken = samples.subarray(at, at + VOICE_FRAME_SAMPLES - this.#partialSamples);
      this.#partial.set(taken, this.#partialSamples);
      this.#partialSamples += taken.length;
      at += taken.length;
      if (this.#partialSamples === VOICE_FRAME_SAMPLES) this.#completeFrame();
    }
    this.#start();
  }

  /** Pads the last, incomplete frame with silence, and resolves when every frame was handled. */
  async drain(): Promise<void> {
    if (this.#partialSamples > 0 && !this.#closed) {
      this.#partial.fill(0, this.#partialSamples);
      this.#completeFrame();
    }
    this.#start();
    while (this.#pump) await this.#pump;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#waiting = [];
    this.#waitingSamples = 0;
    this.#detector.close();
  }

  #completeFrame(): void {
    this.#waiting.push(this.#partial);
    this.#waitingSamples += VOICE_FRAME_SAMPLES;
    this.#partial = new Float32Array(VOICE_FRAME_SAMPLES);
    this.#partialSamples = 0;
  }

  #start(): void {
    if (this.#closed || this.#waiting.length === 0) return;
    this.#pump ??= this.#run().finally(() => {
      this.#pump = null;
      this.#start();
    });
  }

  /** A detector that failed starts afresh: retries the same sound if that can help. */
  async #listen(samples: Float32Array): Promise<boolean[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#detector.accept(samples);
      } catch (error) {
        const again = error instanceof EngineError && error.retryable && attempt < ATTEMPTS;
        if (!again || this.#closed) throw error;
      }
    }
  }

  async #run(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const frames = this.#waiting.slice(0, MAX_BATCH_FRAMES);
        const voiced = await this.#listen(joined(frames));
        if (this.#closed) return;
        if (voiced.length !== frames.length)
          throw new EngineError('The voice detection lost its place.', { retryable: false });
        for (const [index, frame] of frames.entries()) {
          this.#waiting.shift();
          this.#waitingSamples -= VOICE_FRAME_SAMPLES;
          await this.#handler.frame(frame, voiced[index] === true);
          if (this.#closed) return;
        }
        if (this.#waitingSamples < MAX_WAITING / 2) this.#flooded = false;
      }
    } catch (error) {
      if (this.#closed) return;
      this.close();
      this.#handler.failed(error);
    }
  }
}

function joined(frames: readonly Float32Array[]): Float32Array {
  const [only] = frames;
  if (only && frames.length === 1) return only;
  const whole = new Float32Array(frames.length * VOICE_FRAME_SAMPLES);
  for (const [index, frame] of frames.entries()) whole.set(frame, index * VOICE_FRAME_SAMPLES);
  return whole;
}
