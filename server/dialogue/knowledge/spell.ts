import { nearestWord } from '../words/spelling.ts';
import { stem } from '../words/stem.ts';
import { relatedTo } from '../words/synonyms.ts';
import { stopWords } from '../words/tokens.ts';
import { wordVectors } from '../words/word-vectors.ts';
import type { SearchIndex } from './search-index.ts';

/** Everyday words of a question that are often mistyped. */
const everyday =
  `what where when which does have would could should your about there their please thanks hello return returns refund refunds
  delivery deliver deliveries shipping order orders cancel cancellation payment account password appointment subscription invoice
  warranty guarantee exchange address receive change opening hours customer service discount international available`
    .split(/\s+/)
    .filter(Boolean);

/** Contractions typed without their apostrophe are no mistakes. */
const unmarked =
  /^(?:(?:ca|do|wo|is|did|does|was|were|are|have|has|had|could|would|should)nt|(?:what|where|who|how|that|there|when)s|(?:you|they|we)(?:re|ve|ll))$/;

/** How many of the most frequent English words a mistyped word may have been meant as. */
const COMMON = 6_000;
let common: Map<string, string[]> | null = null;

/** Frequent words by their first letter. */
function commonWords(letter: string): readonly string[] {
  if (!common) {
    common = new Map();
    for (const word of wordVectors().words.slice(0, COMMON)) {
      const list = common.get(word.charAt(0)) ?? [];
      list.push(word);
      common.set(word.charAt(0), list);
    }
  }
  return common.get(letter) ?? [];
}

/** Puts mistyped words right when the agent's own vocabulary, or everyday words, have one close by. Known words stay. */
export function correctSpelling(index: SearchIndex, text: string): string {
  const vectors = wordVectors();
  const rankOf = (word: string) =>
    (index.vocabulary.has(word) ? 0 : 40_000) + (vectors.rank(word) ?? 36_000) / 1000;
  return text.replace(/\p{L}[\p{L}']*/gu, (word) => {
    const lower = word.toLowerCase();
    if (
      lower.length < 4 ||
      lower.includes("'") ||
      unmarked.test(lower) ||
      stopWords.has(lower) ||
      index.vocabulary.has(lower)
    )
      return word;
    if (index.postings.has(stem(lower)) || relatedTo(stem(lower)).length > 0) return word;
    const rank = vectors.rank(lower);
    if (rank !== null && rank < 30_000) return word;
    return (
      nearestWord(
        lower,
        [...index.vocabulary.keys(), ...everyday, ...commonWords(lower.charAt(0))],
        rankOf,
      ) ?? word
    );
  });
}
