import type { ReadingEngine } from '#server/engines/reading/contract';
import { EngineError } from '#server/lib/engine-error';

/** A reader as it is while others wait: of passages only their vectors are compared. */
export const glancing = (engine: ReadingEngine): ReadingEngine => {
  const refused = async () => {
    throw new EngineError('There is no time for a closer look.', { retryable: true });
  };
  return { ...engine, relevance: refused, entailment: refused };
};
