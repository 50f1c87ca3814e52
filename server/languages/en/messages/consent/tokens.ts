import { normalize } from '../../words.ts';
import { numberWords } from '../spoken-numbers.ts';

/** A word, figure or sign of an utterance. */
export interface Token {
  /** Lower case. */
  text: string;
  /** Preceded by a comma, full stop or the like. */
  isAfterBreak: boolean;
  /** Written with a capital. */
  isCapital: boolean;
}

const hesitation = /^(?:u+h+m*|u+m+|e+r+m*|e+h+m*)$/;
/** Normalises sounds and spellings, and words written as one or two. */
const spellings: readonly [RegExp, string][] = [
  [/\b(?:uh|mm+|um|m|a)[ -]?h(?:m+|uh|u)\b|\b(?:mhm+|mmhm+|aha)\b/g, ' mhm '],
  [/\b(?:uh|nuh|nu|unh)[ -](?:uh|unh)\b/g, ' no '],
  [/\ball right\b|\balrighty\b|\baight\b/g, 'alright'],
  [/\bo\.? ?k\.?(?=\W|$)|\bokay\b|\bkay\b|\bokey\b|\bokie\b|\boki\b|^kk?(?=[\s.!]*$)/g, 'ok'],
  [/\b(?:spot|bang)[ -]on\b/g, 'spoton'],
  [/\b([ap])\.? ?m\.(?=\W|$)/g, '$1m'],
  [/\bthats\b/g, 'that is'],
  [/\bits\b/g, 'it is'],
  [/\b(that|there|this)'(ll|d)\b/g, '$1 would'],
  [/\bid (?=like|love|appreciate|prefer|rather)/g, 'i would '],
  [/\b(you|they)ll\b/g, '$1 will'],
  [/\byoure\b/g, 'you are'],
  [/\byouve\b/g, 'you have'],
  [/\bive\b/g, 'i have'],
  [/\bit's\b/g, 'it is'],
  [/\bma'am\b/g, 'mam'],
  [/\bthank ?(?:you|u|ya)\b|\bthankyou\b/g, 'thank you'],
  [/\bgo-ahead\b/g, 'go ahead'],
  // Broken-off words: "w- wo- works".
  [/(?<![\p{L}\p{N}'])(\p{L}{1,3})[-–—…]+\s*(?=\1\p{L})/gu, ' '],
  [/\ba (hundred|thousand)\b/g, 'one $1'],
  [/\b([a-z]+)-(off|out|up|in|on|over|back|down)\b/g, '$1$2'],
  [/\b(one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3})(?: grand|k)\b/g, '$1 thousand'],
  [/(\d)(am|pm|gb|mb|kg|km|cm|g|min|x)\b/g, '$1 $2'],
  [/[+#](?=\d)/g, ''],
  [/\b(?:(?:12|twelve) )?(?:noon|midday)\b/g, 'twelve'],
  [/\bget(?:ting)? rid of\b/g, 'cancel'],
  [/\bmoney back\b/g, 'refund'],
  // Recognition confuses these.
  [/\bis (?:write|rite|wright)\b/g, 'is right'],
  [/\bgo a head\b|\bgoa head\b|\bgohead\b/g, 'go ahead'],
  [/\bpleas\b|\bpleaze\b|\bpleese\b|(?<=[a-z] )police$/g, 'please'],
  [/\bgrant(?= thank| thanks|$)|(?<=is )grant\b|\bgrande\b/g, 'grand'],
  [/\beye(?= (?:do|agree|would|am|confirm|accept)\b)/g, 'i'],
  [/^eye(?=$|,| (?:that|yes|go|please|it|ok|sure|i)\b)/g, 'aye'],
  [/^(?:shore|shure)\b/g, 'sure'],
  [/^(?:year|yer)(?=$|,| (?:please|thanks|go|do|that|sure|ok|yes|yeah)\b)/g, 'yeah'],
  [/\bhit\b(?! (?:it|send|the|go)\b)/g, 'it'],
  [/\b(?:due|dew) it\b/g, 'do it'],
  [/\boff? coarse\b|\boff course\b/g, 'of course'],
  [/\bdefiantly\b|\bdefinately\b|\bdefinitly\b/g, 'definitely'],
  [/\bprefect\b|\bpurrfect\b/g, 'perfect'],
  [/\bgrate\b/g, 'great'],
  [/\bis (?:find|fined)\b/g, 'is fine'],
  [/\b(fine|ok|good) buy\b/g, '$1 by'],
  [/\bbuy all means\b/g, 'by all means'],
  [/\btanks\b/g, 'thanks'],
  [/\bknow (problem|worries)\b/g, 'no $1'],
  [/%/g, ' percent '],
  [/&/g, ' and '],
  [/£ ?(\d[\d.,]*)/g, '$1 pound'],
  [/\$ ?(\d[\d.,]*)/g, '$1 dollar'],
  [/€ ?(\d[\d.,]*)/g, '$1 euro'],
  [/[👍👌✅]\p{Emoji_Modifier}?/gu, ' yes '],
  [/[👎❌🚫]\p{Emoji_Modifier}?/gu, ' no '],
  [/[🙂😊😀😃😄😁🙏❤💕🎉👏✨☺😘🥰]\p{Emoji_Modifier}?\ufe0f?/gu, ' '],
  [/(?:^|\s)[:;]-?[)D](?=\s|$)/g, ' '],
];

/** Contractions that would be lost when others are spelled out. */
const spelledOut: readonly [RegExp, string][] = [
  [/\blet['’]?s\b/gi, 'let us'],
  [
    /(?<=\p{L})['’]s(?= (?:good|fine|great|perfect|grand|ok|okay|lovely|alright|all right|brilliant|right|correct|ideal|not|too)\b)/giu,
    ' is',
  ],
];

/**
 * An address, a day (2030-05-07), a figure with inner marks (4:20), or a word. Any other sign is a token of
 * its own.
 */
const token =
  /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\d{4}-\d\d-\d\d|\d+(?:[.,:/]\d+)*(?:st|nd|rd|th)?(?![\p{L}\d])|[\p{L}\p{N}]+(?:'\p{L}+)?|\S/gu;
const isSilent = /^[.,;:!…"'()\-–—*_~[\]]$/;
const breaks = /[.,;:!…()–—-]/;

/** Splits an utterance into words, without hesitation sounds and stammering. */
export function tokensOf(text: string): Token[] {
  // Note capitals before contractions are spelled out.
  const capitals = new Set(
    text.match(/(?<=[\p{L}\p{N},;] )\p{Lu}\p{L}*/gu)?.map((word) => word.toLowerCase()),
  );
  let said = normalize(spelledOut.reduce((all, [pattern, to]) => all.replace(pattern, to), text));
  for (const [pattern, to] of spellings) said = said.replace(pattern, to);
  const tokens: Token[] = [];
  let isAfterBreak = false;
  for (const { 0: found, index } of said.matchAll(token)) {
    if (isSilent.test(found)) {
      const isHyphen = found === '-' && /^\S-\S$/.test(said.slice(index - 1, index + 2));
      isAfterBreak ||= breaks.test(found) && !isHyphen;
      continue;
    }
    if (hesitation.test(found)) continue;
    const isStammered =
      !isAfterBreak && found === tokens.at(-1)?.text && !/\d/.test(found) && !numberWords.includes(found);
    if (!isStammered) tokens.push({ text: found, isAfterBreak, isCapital: capitals.has(found) });
    isAfterBreak = false;
  }
  return tokens;
}

export const wordsOf = (tokens: readonly Token[]): string[] => tokens.map(({ text }) => text);
