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

/** Puts mistyped words right when the agent's own vocabulary, or everyday words, have one close by. Known words stay. */
export function correctSpelling(index: SearchIndex, text: string): string {
  const vectors = wordVectors();
  const rankOf = (word: string) =>
    (index.vocabulary.has(word) ? 0 : 40_000) + (vectors.rank(word) ?? 36_000) / 1000;
  return text.replace(/\p{L}[\p{L}']*/gu, (word) => {
    const lower = word.toLowerCase();
    if (lower.length < 4 || lower.includes("'") || stopWords.has(lower) || index.vocabulary.has(lower))
      return word;
    if (index.postings.has(stem(lower)) || relatedTo(stem(lower)).length > 0) return word;
    const rank = vectors.rank(lower);
    if (rank !== null && rank < 30_000) return word;
    return nearestWord(lower, [...index.vocabulary.keys(), ...everyday], rankOf) ?? word;
  });
}
