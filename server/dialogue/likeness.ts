import { dot } from './cosine.ts';
import type { Turn } from './manners/draft.ts';

/**
 * Similarity of a message to each description: that of its most similar text, as a cosine, or by shared words without
 * the encoder.
 */
export async function likenessOf(
  {
    knowing: { reading },
    language,
    signal,
  }: Pick<Turn, 'language' | 'signal'> & { knowing: Pick<Turn['knowing'], 'reading'> },
  said: string,
  described: readonly (readonly string[])[],
): Promise<number[]> {
  if (reading?.status().state === 'ready') {
    try {
      const [own, ...vectors] = await reading.embed([said, ...described.flat()], { signal });
      const likeness = vectors.map((vector) => dot(vector, own));
      return described.map((texts) => Math.max(...likeness.splice(0, texts.length)));
    } catch {
      signal.throwIfAborted();
    }
  }
  const words = new Set(language.words.termsOf(said));
  return described.map((texts) =>
    Math.max(
      ...texts.map((text) => {
        const terms = [...new Set(language.words.termsOf(text))];
        return terms.filter((term) => words.has(term)).length / Math.max(2, terms.length);
      }),
    ),
  );
}
