/** Passages whose relevance is read at first, and how many more when none of them clearly bears on the question. */
const READ_FIRST = 2;
const READ_MORE = 3;
/** Of all that a search brings no others tell in an answer. */
export const READ_AT_MOST = READ_FIRST + READ_MORE;
/** Logit of the cross-encoder above which a passage clearly bears on the question. */
const CLEARLY = 3;
/** Where the likeliest two are as far from it as logits go, nothing behind them is near. */
const NOTHING = -10.5;
/** Logit below which a passage has no bearing on what is asked. */
export const UNRELATED = -9;

interface LookedAt {
  /** What is asked, alone or behind what was asked before. */
  question: string;
  /** What is asked by itself, where something was asked before that must not speak for it; else null. */
  own: string | null;
  /** Passages, the likeliest first. */
  texts: readonly string[];
}

/**
 * Looks closely at a few passages: the likeliest two, and three more where neither clearly bears on the question but one may. What was
 * asked before counts half, and nothing where a passage has no bearing on what is asked now: it is not even read with that.
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
    return alone.map((logit, at) => (bears[at] ? (logit + (withContext.next().value ?? logit)) / 2 : logit));
  };
  const first = await logitsOf(texts.slice(0, READ_FIRST));
  if (!first) return null;
  if (first.some((logit) => logit > CLEARLY) || first.every((logit) => logit < NOTHING)) return [...first];
  // What was looked at closely and what was not cannot be compared.
  return [...first, ...((await logitsOf(texts.slice(READ_FIRST, READ_AT_MOST))) ?? [])];
}
