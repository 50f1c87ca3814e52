/**
 * Passages that are read one after another, the likeliest first: after each of these the rest is left unread where one clearly
 * answers.
 */
const STEPS = [3, 3, 6];
/** Of all that a search brings no others tell in an answer. */
export const READ_AT_MOST = STEPS.reduce((sum, step) => sum + step, 0);
/** Logit of the cross-encoder above which a passage clearly answers a question. */
const CLEARLY = 2;
/** Logit below which a passage has no bearing on what is asked. */
export const UNRELATED = -7;

interface LookedAt {
  /** What is asked, alone or behind what was asked before. */
  question: string;
  /** What is asked by itself, where something was asked before that must not speak for it; else null. */
  own: string | null;
  /** Passages, the likeliest first. */
  texts: readonly string[];
}

/**
 * Looks closely at passages, a few at a time, until one of them clearly answers. What was asked before counts a third, and nothing where a
 * passage has no bearing on what is asked now: it is not even read with that.
 * @param read logits of the cross-encoder, one for each text; null: there was no time for them
 * @returns logits of as many of the texts as were read; null where there was no time for any
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
