import type { Logger } from 'pino';
import type { ReadingEngine } from './contract.ts';
import { createMiniLm } from './minilm.ts';

/** The reading engine of this server: its weights are part of the program, so it is there a moment after the start. */
export function createReading({ logger }: { logger?: Pick<Logger, 'info' | 'warn'> } = {}): ReadingEngine {
  return createMiniLm(logger ? { logger } : {});
}
