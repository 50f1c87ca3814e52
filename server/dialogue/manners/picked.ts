import type { ReadingEngine } from '#server/engines/reading/contract';
import { normalize, termsOf } from '#server/languages/en/words';

/** Cosine from which what was said is one of the options in other words. */
const SAME = 0.62;
/** Longer messages say something of their own. */
const MAX_WORDS = 14;
/** How far the likest option must be ahead of the next. */
const AHEAD = 0.03;

const ordinals: [RegExp, number][] = [
  [/\b(?:first|1st|former)\b/, 0],
  [/\b(?:second|2nd)\b/, 1],
  [/\b(?:third|3rd)\b/, 2],
];

/** Which of the options that were named the customer means; null where none is. */
export async function picked(
  reading: ReadingEngine | null,
  text: string,
  options: readonly string[],
  signal: AbortSignal,
): Promise<number | null> {
  const said = normalize(text)
    .replace(/[\s.!?,]+$/, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (said.split(' ').length > MAX_WORDS) return null;
  if (/\blast (?:one|of)?\b/.test(said) && options.length > 0) return options.length - 1;
  const ordinal = ordinals.find(([pattern]) => pattern.test(said));
  if (ordinal && /\bone\b|\boption\b|^the \w+$|^\w+$/.test(said) && ordinal[1] < options.length)
    return ordinal[1];
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
    const likeness = others.map((other) => other.reduce((sum, x, n) => sum + x * (own[n] ?? 0), 0));
    const order = likeness.map((value, at) => [value, at] as const).sort(([a], [b]) => b - a);
    const [best, next] = order;
    return best && best[0] >= SAME && best[0] - (next?.[0] ?? 0) >= AHEAD ? best[1] : null;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
