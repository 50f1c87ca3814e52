import { rewritten } from './held.ts';

/** A passage number as a character of Unicode's private use area, so that a sentence carries its citations. */
const FIRST = 0xe100;
const MOST = 99;
const MARKS = /[\ue100-\ue163]/g;
/** Marks before the next sentence belong to the one before. */
export const LEADING_MARKS = /^[\ue100-\ue163]+/;

const NUMBERS = String.raw`#?\d{1,2}(?:\s{0,3}(?:[,;&+]|and|[-–])\s{0,3}#?\d{1,2})*`;
const NAME = String.raw`(?:passages?|sources?|docs?|documents?|refs?|references?|p|¶)\.?\s{0,3}:?\s{0,3}`;
/**
 * Forms in which models cite: "[2]", "[1, 3]", "[^1]", "[passage 2]", "(see [1])", "(source: [2])", "(passage 1)",
 * "【3】", "【3†source】", "according to [1],".
 */
const CITATION = new RegExp(
  [
    String.raw`\s{0,3}\((?:as (?:stated|mentioned|shown) in|see(?: also)?|cf\.?|from|per|in|source:?|${NAME})?\s{0,3}(?:${NAME})?(?:\[\^?${NUMBERS}\](?:\s{0,3}(?:,|and)?\s{0,3})?)+\)`,
    String.raw`\s{0,3}\((?:see\s{1,3})?(?:${NAME})${NUMBERS}\)`,
    String.raw`\s{0,3}【\s{0,3}(?:${NAME})?${NUMBERS}(?:[†:][^】]{0,40})?】`,
    String.raw`(?:(?<=^|[.!?]\s)\s{0,3}[Aa]ccording to|\s{1,3}according to)\s{1,3}(?:${NAME})?\[\^?${NUMBERS}\],?`,
    String.raw`\s{0,3}\[\^?(?:${NAME})?${NUMBERS}\](?!\()`,
  ].join('|'),
  'giu',
);
/** An opened bracket, or "according to", that may become one. */
const OPEN = /(?<!\s)\s*(?:[([【][^)\]】\n]{0,60}\]?|according(?: to?)?\s*)$|(?<!\s)\s+$/iu;
const LONGEST = 80;

/**
 * Replaces citations in a streamed text by marks, one character each, which `takeCitations` reads. Invalid passage
 * numbers are removed, too.
 */
export const markCitations = (pieces: AsyncIterable<string>): AsyncGenerator<string> =>
  rewritten(pieces, (text) => text.search(OPEN), marked, LONGEST);

const marked = (text: string): string =>
  text.replace(CITATION, (found) =>
    numbersIn(found)
      .map((n) => String.fromCharCode(FIRST + n))
      .join(''),
  );

function numbersIn(citation: string): number[] {
  const numbers: number[] = [];
  for (const [, from = '', to] of citation.matchAll(/(\d{1,2})(?:\s*[-–]\s*(\d{1,2}))?/g))
    for (let n = Number(from); n <= Math.min(MOST, Number(to ?? from)); n++) numbers.push(n);
  return numbers;
}

/** Separates a sentence from its citation marks. */
export function takeCitations(marked: string): { text: string; cited: number[] } {
  const cited = [...marked.matchAll(MARKS)].map(([mark]) => mark.charCodeAt(0) - FIRST);
  if (cited.length === 0) return { text: marked.trim(), cited };
  const text = marked
    .replace(MARKS, '')
    .replace(/(?<! ) +(?=[.,;:!?](?:\s|$))/g, '')
    .replace(/ {2,}/g, ' ')
    .trim();
  return { text, cited: [...new Set(cited)] };
}
