import type { ReadingEngine } from '#server/engines/reading/contract';
import { dot } from '../cosine.ts';
import type { Contradiction } from './contradictions.ts';

/** Cosine above which two statements have the same topic, if one has no words of its own beside its figures. */
const ALIKE = 0.7;
/** The same if one word is its own: Saturdays are not Mondays, and a fee is a price. */
const VERY_ALIKE = 0.88;

/** Contradictions whose statements have the same topic, by their meaning. */
export async function aboutOneThing(
  found: readonly Contradiction[],
  reading: ReadingEngine,
  signal: AbortSignal,
): Promise<Contradiction[]> {
  const vectors = await reading.embed(
    found.flatMap(({ statements }) => statements),
    { urgency: 'index', signal },
  );
  return found.filter(({ own }, n) => {
    const likeness = dot(vectors[2 * n], vectors[2 * n + 1]);
    return likeness >= (own === 0 ? ALIKE : VERY_ALIKE);
  });
}
