/** Words before a clause, or before a time or place, that can follow a breath. */
const LEADS =
  'but|because|which|who|if|when|while|unless|where|although|before|after|since|within|during|without';
/**
 * After "and" a breath is natural before something new, not between two things that belong together ("terms
 * and conditions"): the following function word tells.
 */
const NEW_BEGINS =
  `we|you|it|they|I|he|she|this|these|that|those|the|a|an|your|our|their|no|not|is|are|was|were|has|have|had|
  will|would|can|could|may|must|should|do|does|on|in|at|by|for|from|to|with|within|then|also|if|when`.replaceAll(
    /\s+/g,
    '',
  );
const PLACES = new RegExp(`(?<=\\S) (?=(?:(?:${LEADS}) (?!and |or )|and (?:${NEW_BEGINS}) ))`, 'g');
/** Words tied to the following word: "even if", "three days before". */
const TIED =
  /\b(?:even|only|just|as|what|than|and|or|but|not|(?:minute|hour|day|night|week|month|year|time)s?|shortly|soon|long)$/i;

/** Positions of spaces at which a speaker could breathe. */
export const placesToBreathe = (text: string): number[] =>
  [...text.matchAll(PLACES)].map(({ index }) => index).filter((at) => !TIED.test(text.slice(0, at)));

/** Where a sentence that is too long for one breath must be divided. */
export const breathesBefore = / (?:and|or|but|because|which|that|if|when|so) /g;
