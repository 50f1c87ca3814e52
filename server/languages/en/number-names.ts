/** From zero on. */
export const TO_NINETEEN =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
  eighteen nineteen`.split(/\s+/);
export const DIGITS = TO_NINETEEN.slice(0, 10);
/** From twenty on. */
export const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
