import type { ReadingEngine } from '#server/engines/reading/contract';
import { dot } from '../cosine.ts';
import type { Contradiction } from './contradictions.ts';

/** Cosine from which two statements are about the same, where one says nothing of its own beside its figures. */
const ALIKE = 0.7;
/** The same where one word is its own: Saturdays are no Mondays, and a fee is what something costs. */
const VERY_ALIKE = 0.88;

/** Those of the contradictions whose statements are about the same thing, by their meaning. */
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
