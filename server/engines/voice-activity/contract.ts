import type { EngineStatus } from '#shared/status';

/** Samples of one frame at 16 kHz: 32 ms. */
export const VOICE_FRAME_SAMPLES = 512;

/** Finds speech in one stream of sound. */
export interface VoiceDetector {
  /**
   * Takes the next samples (16 kHz, mono, -1 to 1, any number of them).
   * @returns for every frame that became whole, in order, whether somebody speaks in it
   * @throws EngineError when the engine failed; an EngineError after `close`
   */
  accept(samples: Float32Array): Promise<boolean[]>;
  /** Forgets the stream. */
  close(): void;
}

/** Tells speech from silence and noise. */
export interface VoiceActivityEngine {
  readonly name: string;
  status(): EngineStatus;
  /** A detector for a new stream. Usable before the engine is ready: its first `accept` waits. */
  open(): VoiceDetector;
  close(): Promise<void>;
}
