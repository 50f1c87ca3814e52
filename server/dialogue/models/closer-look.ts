import type { ReadingEngine } from '#server/engines/reading/contract';
import { timeLimit } from '#server/lib/wait';

/** What is not read by then is judged by words alone, in milliseconds: who waits hears nothing meanwhile. */
const LOOK_WAIT_MS = 1_000;

/** How surely a sentence follows from a text, in logits; null where that cannot be read in time. @throws the signal's reason */
export type CloserLook = (sentence: string, evidence: string) => Promise<number | null>;

/** Looks at sentences with the reader, as long as it is ready. */
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
