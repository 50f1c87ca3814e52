import type { RecognitionRequest } from '#server/engines/recognition/contract';
import { CLIP_RATE } from '../speech/speech-set.ts';

/**
 * What a recognition takes on the clock of sound: 60 ms and 30 ms a second of sound, as measured on a quiet machine. A
 * fixed one makes the figures the same on a loaded machine, to the millisecond.
 */
export const recognitionOnTheClock = (_measuredMs: number, { samples }: RecognitionRequest) =>
  60 + (30 * samples.length) / CLIP_RATE;
