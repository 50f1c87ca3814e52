/** Passages read in steps, the likeliest first: after each step, a clear answer ends the reading. */
const STEPS = [3, 3, 6];
/** Passages beyond these never appear in an answer. */
export const READ_AT_MOST = STEPS.reduce((sum, step) => sum + step, 0);
/** Cross-encoder logit above which a passage clearly answers a question. */
const CLEARLY = 2;
/** Logit below which a passage is irrelevant to the question. */
export const UNRELATED = -7;

interface LookedAt {
  /** The question, alone or after the previous one. */
  question: string;
  /** The question alone, if a previous one must not count for it; else null. */
  own: string | null;
  /** Passages, the likeliest first. */
  texts: readonly string[];
}

/**
 * Reads passages with the cross-encoder, a few at a time, until one of them clearly answers. The previous question
 * counts a third, and nothing if a passage is irrelevant to the current one: then it is not read with it.
 * @param read logits of the cross-encoder, one for each text; null if there was no time
 * @returns logits of the texts read; null if there was no time for any
 */
export async function lookClosely(
  { question, own, texts }: LookedAt,
  read: (question: string, texts: readonly string[]) => Promise<readonly number[] | null>,
): Promise<number[] | null> {
  const logitsOf = async (some: readonly string[]): Promise<readonly number[] | null> => {
    if (some.length === 0) return [];
    if (own === null) return read(question, some);
    const alone = await read(own, some);
    if (!alone) return null;
    const bears = alone.map((logit) => logit >= UNRELATED);
    const bearing = some.filter((_, at) => bears[at]);
    const joined = bearing.length > 0 ? await read(question, bearing) : [];
    if (!joined) return null;
    const withContext = joined.values();
    return alone.map((logit, at) =>
      bears[at] ? (2 * logit + (withContext.next().value ?? logit)) / 3 : logit,
    );
  };
  const found: number[] = [];
  for (const step of STEPS) {
    const next = await logitsOf(texts.slice(found.length, found.length + step));
    if (!next) break;
    found.push(...next);
    if (found.length >= texts.length || found.some((logit) => logit > CLEARLY)) return found;
  }
  return found.length > 0 ? found : null;
}
