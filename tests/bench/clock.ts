import type { RecognitionRequest } from '#server/engines/recognition/contract';
import { CLIP_RATE } from '../speech/speech-set.ts';

/**
 * Time of a recognition on the clock of sound: 60 ms and 30 ms a second of sound, as measured on a quiet machine. A
 * fixed time makes the figures equal on a loaded machine, to the millisecond.
 */
export const recognitionOnTheClock = (_measuredMs: number, { samples }: RecognitionRequest) =>
  60 + (30 * samples.length) / CLIP_RATE;
