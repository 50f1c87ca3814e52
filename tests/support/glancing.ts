import type { ReadingEngine } from '#server/engines/reading/contract';
import { EngineError } from '#server/lib/engine-error';

/** A reader under load: passages are compared only by their vectors. */
export const glancing = (engine: ReadingEngine): ReadingEngine => {
  const refused = async () => {
    throw new EngineError('There is no time for a closer look.', { retryable: true });
  };
  return { ...engine, relevance: refused, entailment: refused };
};
