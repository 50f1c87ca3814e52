import type { ReadingEngine } from '#server/engines/reading/contract';
import { timeLimit } from '#server/lib/wait';

/** Time for reading, in milliseconds, since the customer hears nothing meanwhile; after it words alone decide. */
const LOOK_WAIT_MS = 1_000;

/**
 * How surely a sentence follows from a text, in logits; null if it cannot be read in time. @throws the signal's reason
 */
export type CloserLook = (sentence: string, evidence: string) => Promise<number | null>;

/** Checks sentences with the reader while it is ready. */
export const closerLookBy =
  (reading: ReadingEngine | null, signal: AbortSignal): CloserLook =>
  async (sentence, evidence) => {
    if (reading?.status().state !== 'ready' || evidence === '') return null;
    try {
      return await reading.entailment(sentence, evidence, {
        signal: AbortSignal.any([signal, timeLimit(LOOK_WAIT_MS)]),
      });
    } catch {
      signal.throwIfAborted();
      return null;
    }
  };
