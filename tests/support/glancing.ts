import { EngineError } from '#server/engines/engine-error';
import type { ReadingEngine } from '#server/engines/reading/contract';

/** A reader as it is while others wait: of passages only their vectors are compared. */
export const glancing = (engine: ReadingEngine): ReadingEngine => {
  const refused = async () => {
    throw new EngineError('There is no time for a closer look.', { retryable: true });
  };
  return { ...engine, relevance: refused, entailment: refused };
};
