import type { EngineStatus } from '#shared/status';

/** Samples of one frame at 16 kHz: 32 ms. */
export const VOICE_FRAME_SAMPLES = 512;

/** Detects speech in one stream of sound. */
export interface VoiceDetector {
  /**
   * Takes the next samples (16 kHz, mono, -1 to 1, any number).
   * @returns for each completed frame, in order, whether it is speech
   * @throws EngineError when the engine failed, or after `close`
   */
  accept(samples: Float32Array): Promise<boolean[]>;
  /** Frees the stream. */
  close(): void;
}

/** Distinguishes speech from silence and noise. */
export interface VoiceActivityEngine {
  readonly name: string;
  status(): EngineStatus;
  /** A detector for a new stream. Usable before the engine is ready: its first `accept` waits. */
  open(): VoiceDetector;
  close(): Promise<void>;
}
