import { plain } from '#server/languages/typography';
import { wordsOf } from './words-of.ts';

const hum = /^(?:[aeiou]*[mh][aeioumh]*|o+|a+)$/;
const signs = new Set(
  'okay ok alright right great good perfect cool fine lovely thanks thank you so very much a lot all i see got it mhm huh'.split(
    ' ',
  ),
);

/**
 * Whether words after the customer's own utterance, before any reply is played, belong to the turn. There is
 * nothing to agree with yet, so "please go ahead", "yes" and the last letters of a name do; a hum, "okay" or
 * "thanks" add nothing that a reply needs.
 */
export function addsToTheTurn(text: string): boolean {
  const words = wordsOf(plain(text).toLowerCase()).map((word) => word.replace(/[^a-z0-9]/g, ''));
  return words.some((word) => word !== '' && !signs.has(word) && !hum.test(word));
}
