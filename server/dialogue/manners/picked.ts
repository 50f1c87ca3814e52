import { dot } from '../cosine.ts';
import type { Turn } from './draft.ts';

/** Cosine above which a message means an option in other words. */
const SAME = 0.62;
/** Longer messages have content of their own. */
const MAX_WORDS = 14;
/** Required lead of the most similar option over the next. */
const AHEAD = 0.03;

type Asking = Pick<Turn, 'language' | 'signal'> & { knowing: Pick<Turn['knowing'], 'reading'> };

/** The named option that the customer means; null if none. */
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
