/** Words that lead into a clause or a statement of time or place that can be said after a breath. */
const LEADS =
  'but|because|which|who|if|when|while|unless|where|although|before|after|since|within|during|without';
/**
 * After "and" a breath is natural where something new is said, not between two things that belong together ("terms and
 * conditions"): told by the little word that follows.
 */
const NEW_BEGINS =
  `we|you|it|they|I|he|she|this|these|that|those|the|a|an|your|our|their|no|not|is|are|was|were|has|have|had|
  will|would|can|could|may|must|should|do|does|on|in|at|by|for|from|to|with|within|then|also|if|when`.replaceAll(
    /\s+/g,
    '',
  );
const PLACES = new RegExp(`(?<=\\S) (?=(?:(?:${LEADS}) (?!and |or )|and (?:${NEW_BEGINS}) ))`, 'g');
/** These belong to the word that follows: "even if", "three days before". */
const TIED =
  /\b(?:even|only|just|as|what|than|and|or|but|not|(?:minute|hour|day|night|week|month|year|time)s?|shortly|soon|long)$/i;

/** Where a speaker of this sentence could take a breath between words, by the place of the space. */
export const placesToBreathe = (text: string): number[] =>
  [...text.matchAll(PLACES)].map(({ index }) => index).filter((at) => !TIED.test(text.slice(0, at)));

/** Where one must be taken in a sentence too long to be said in one. */
export const breathesBefore = / (?:and|or|but|because|which|that|if|when|so) /g;
