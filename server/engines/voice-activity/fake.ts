import { EngineError } from '#server/lib/engine-error';
import type { EngineStatus } from '#shared/status';
import { VOICE_FRAME_SAMPLES, type VoiceActivityEngine, type VoiceDetector } from './contract.ts';

/** Frames louder than this (root mean square) are speech for the fake. */
const SPEECH_RMS = 0.02;

/** Detects "speech" by loudness only: immediate and deterministic. */
export function createFakeVoiceActivity(
  options: { status?: () => EngineStatus } = {},
): VoiceActivityEngine & { readonly openDetectors: number } {
  const detectors = new Set<VoiceDetector>();
  return {
    name: 'Loudness',
    get openDetectors() {
      return detectors.size;
    },
    status: options.status ?? (() => ({ state: 'ready', message: 'The ears are ready.' })),
    open() {
      let rest = new Float32Array();
      const detector: VoiceDetector = {
        async accept(samples) {
          if (!detectors.has(detector)) throw new EngineError('This stream is closed.', { retryable: false });
          const all = new Float32Array(rest.length + samples.length);
          all.set(rest);
          all.set(samples, rest.length);
          const frames = Math.floor(all.length / VOICE_FRAME_SAMPLES);
          rest = all.slice(frames * VOICE_FRAME_SAMPLES);
          return Array.from({ length: frames }, (_, index) =>
            speaks(all.subarray(index * VOICE_FRAME_SAMPLES, (index + 1) * VOICE_FRAME_SAMPLES)),
          );
        },
        close: () => void detectors.delete(detector),
      };
      detectors.add(detector);
      return detector;
    },
    async close() {
      detectors.clear();
    },
  };
}

const speaks = (frame: Float32Array) =>
  Math.sqrt(frame.reduce((sum, sample) => sum + sample ** 2, 0) / frame.length) > SPEECH_RMS;
