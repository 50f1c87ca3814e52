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

/** "Not a refund, just cancel", "to Canada, no, Mexico": excluded words are not searched for. */
export const withoutNegated = (text: string): string => {
  const corrected = text.replace(putRight, '');
  const meant = negated.reduce((all, pattern) => {
    const rest = all.replace(pattern, '');
    return termsOf(rest).length > 0 ? rest : all;
  }, corrected);
  return termsOf(meant).length > 0 ? meant : text;
};
