import type { Words } from '#server/languages/contract';
import type { Citation } from '#shared/conversations';
import { citationOf } from '../passages/contract.ts';
import type { Found } from './find.ts';

/** Another passage with another figure counts if its relevance is within this many logits. */
const NEARLY = 4;
/** Share of common words in two wordings of one rule. */
const SAME_RULE = 0.6;
const SHARED_WORDS = 3;
const LOOKED_AT = 4;

/** A sentence of another passage with the same statement and other figures; null without one. */
export function contradictionOf({ saying, ranked }: Found, words: Words): Citation | null {
  const best = ranked[0]?.relevance ?? null;
  if (!saying) return null;
  for (const { passage, relevance } of ranked.slice(1, LOOKED_AT)) {
    // On the fast path, words alone identify the same rule.
    if (best !== null && (relevance === null || relevance < Math.max(0, best - NEARLY))) continue;
    const other = passage.statements.find(({ text }) =>
      saying.citations.some((told) => differs(told.text, text, words)),
    );
    if (other) return citationOf(passage, other.text, '');
  }
  return null;
}

/** Whether two sentences state one rule with entirely different figures. */
function differs(one: string, other: string, { termsOf }: Words): boolean {
  const [figuresOfOne, figuresOfOther] = [figuresIn(one), figuresIn(other)];
  if (figuresOfOne.size === 0 || figuresOfOther.size === 0) return false;
  if ([...figuresOfOne].some((figure) => figuresOfOther.has(figure))) return false;
  const wordsIn = (text: string) => new Set(termsOf(text).filter((term) => !/\d/.test(term)));
  const [wordsOfOne, wordsOfOther] = [wordsIn(one), wordsIn(other)];
  const shared = [...wordsOfOne].filter((word) => wordsOfOther.has(word)).length;
  return shared >= SHARED_WORDS && shared / Math.max(wordsOfOne.size, wordsOfOther.size) >= SAME_RULE;
}

const figuresIn = (text: string) => new Set(text.match(/\d[\d.,]*/g) ?? []);
