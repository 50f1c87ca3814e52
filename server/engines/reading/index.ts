import type { ReadingEngine } from './contract.ts';
import { createMiniLm, type MiniLmOptions } from './minilm.ts';

/** The reading engine. Its weights are part of the program, so it is ready shortly after the start. */
export const createReading = (options: Pick<MiniLmOptions, 'logger' | 'begin'> = {}): ReadingEngine =>
  createMiniLm(options);
