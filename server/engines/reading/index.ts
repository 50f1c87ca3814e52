import type { ReadingEngine } from './contract.ts';
import { createMiniLm, type MiniLmOptions } from './minilm.ts';

/** The reading engine of this server: its weights are part of the program, so it is there a moment after the start. */
export const createReading = (options: Pick<MiniLmOptions, 'logger' | 'begin'> = {}): ReadingEngine =>
  createMiniLm(options);
