import { plain } from '#server/languages/typography';
import { wordsOf } from './words-of.ts';

const hum = /^(?:[aeiou]*[mh][aeioumh]*|o+|a+)$/;
const signs = new Set(
  'okay ok alright right great good perfect cool fine lovely thanks thank you so very much a lot all i see got it mhm huh'.split(
    ' ',
  ),
);

/**
 * Whether words said after one's own sentence, before any reply is heard, belong to it. Nobody agrees with silence: "please go
 * ahead", "yes" and the last letters of a name do; only a hum, "okay" or "thanks" add nothing that a reply must know.
 */
export function addsToTheTurn(text: string): boolean {
  const words = wordsOf(plain(text).toLowerCase()).map((word) => word.replace(/[^a-z0-9]/g, ''));
  return words.some((word) => word !== '' && !signs.has(word) && !hum.test(word));
}
