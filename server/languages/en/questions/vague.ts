import { termsOf } from '../words.ts';

/** Words that name something, or a price, without content. */
const empty = new Set(
  termsOf(
    'problem problems issue issues trouble wrong broken stuck help something sort matter happened work working cost costs price prices',
  ),
);

export const isEmptyTerm = (term: string): boolean => empty.has(term);

/** "That mission", "this library": refers to something that was not mentioned. */
export const pointsNowhere = (text: string) =>
  /\b(?:this|that|these|those) (?!(?:i|you|we|they|he|she|it|is|are|was|were|be|do|does|did|have|has|had|will|would|should|could|can|cost|costs|work|works|happen|happens|count|counts|include|includes|apply|applies|take|takes|means?|all|one|much|many|long|way|time|week|month|year|morning|afternoon|evening|weekend|summer|winter)\b)[a-z]+/i.test(
    text,
  );

/** "No, wait" between a wrong and the right word. */
const putRight =
  /(?<![\w'’-])[\w'’-]{1,30}(?:,| –| -) (?:oh,? )?no(?:,|,? (?:wait|sorry|hang on|i mean|i meant|actually|rather|make that)\b,?) (?=[\w'’-])/i;
const negated = [
  /\b(?:not|no,? not) (?:about )?(?:the |an? |my )?(?:[\w'-]+ ){1,4}?(?:again)?[,;:–-] ?(?:(?:but|i) )?(?=(?:just|only|but|rather|instead|i want|i mean)\b)/i,
  // "Not Canada, Mexico": at the beginning, with a short name.
  /^(?:(?:no|sorry|oh|wait|actually)[,.]? )*not (?:about |for |to )?(?:the |an? |my )?[\w'’-]+(?: (?:in |of |for )?[\w'’-]+){0,2}, (?:but )?/i,
  // "It's the motorbike, not the minibus."
  /, (?:and )?not (?:about |for |to )?(?:the |an? |my )?[\w'’-]+(?: [\w'’-]+)?(?=[.!]?$)/i,
];

const retracing =
  /(?:,|\.{3}| –| -)? (?:uh|um|er|well|oh)?,? ?(?:no|sorry|i mean|i meant|or rather|make that)\b(?:,? (?:wait|no|sorry|hang on|i mean|i meant|actually|rather|make that)\b){0,4},? (?=(on|in|at|for|to|from|with|by|the|an?|my|our)\b)/i;
/** Words before the restart that are searched. */
const MAX_RETRACED = 6;

/** "For the kettle, sorry, the toaster": restarting with the same small word replaces what followed it before. */
function retraced(text: string): string {
  const found = retracing.exec(text);
  if (!found?.[1]) return text;
  const before = text.slice(0, found.index);
  const words = [...before.slice(-120).matchAll(/[^\s]+/g)].slice(-MAX_RETRACED);
  const again = words.findLast(([word]) => word.toLowerCase() === found[1]?.toLowerCase());
  const isSentence = words.some(({ 0: word, index }) => /[.!?]$/.test(word) && index >= (again?.index ?? 0));
  if (!again || isSentence) return text;
  const start = before.length - Math.min(before.length, 120) + again.index;
  return `${text.slice(0, start)}${text.slice(found.index + found[0].length)}`;
}

/** "Not a refund, just cancel", "to Canada, no, Mexico": excluded words are not searched for. */
export const withoutNegated = (text: string): string => {
  const corrected = retraced(text).replace(putRight, '');
  const meant = negated.reduce((all, pattern) => {
    const rest = all.replace(pattern, '');
    return termsOf(rest).length > 0 ? rest : all;
  }, corrected);
  return termsOf(meant).length > 0 ? meant : text;
};
