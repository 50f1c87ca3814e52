import { dot } from '../cosine.ts';
import type { Turn } from './draft.ts';

/** Cosine from which what was said is one of the options in other words. */
const SAME = 0.62;
/** Longer messages say something of their own. */
const MAX_WORDS = 14;
/** How far the likest option must be ahead of the next. */
const AHEAD = 0.03;

type Asking = Pick<Turn, 'language' | 'signal'> & { knowing: Pick<Turn['knowing'], 'reading'> };

/** Which of the options that were named the customer means; null where none is. */
export async function picked(
  { knowing, language, signal }: Asking,
  text: string,
  options: readonly string[],
): Promise<number | null> {
  const { reading } = knowing;
  const { termsOf, normalize } = language.words;
  if (normalize(text).trim().split(/\s+/).length > MAX_WORDS) return null;
  const place = language.messages.placeIn(text, options.length);
  if (place !== null) return place;
  const words = new Set(termsOf(text));
  const shares = options.map((option) => {
    const terms = [...new Set(termsOf(option))];
    return terms.filter((term) => words.has(term)).length / Math.max(1, terms.length);
  });
  const most = Math.max(...shares);
  if (most >= 0.5 && shares.filter((share) => share === most).length === 1) return shares.indexOf(most);
  if (reading?.status().state !== 'ready') return null;
  try {
    const [own, ...others] = await reading.embed([text, ...options], { signal });
    if (!own) return null;
    const likeness = others.map((other) => dot(other, own));
    const order = likeness.map((value, at) => [value, at] as const).sort(([a], [b]) => b - a);
    const [best, next] = order;
    return best && best[0] >= SAME && best[0] - (next?.[0] ?? 0) >= AHEAD ? best[1] : null;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
