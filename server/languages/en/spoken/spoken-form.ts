import { sayAbbreviations } from '../abbreviations.ts';
import { sayCapitals } from './capitals.ts';
import { sayCodes } from './codes.ts';
import { sayAddresses, sayPhoneNumbers } from './contacts.ts';
import { sayDates, sayWeekdays } from './dates.ts';
import { withoutMarkup } from './markup.ts';
import { sayMoney } from './money.ts';
import { sayPer, sayPerShort } from './per-unit.ts';
import { joinThousands, sayComparisons, sayNumbers } from './plain-numbers.ts';
import { sayTimes } from './times.ts';
import { sayUnits } from './units.ts';

/** Each reader replaces what it knows with words; if two could read the same text, the earlier one wins. */
const READERS: readonly ((text: string) => string)[] = [
  withoutMarkup,
  sayAddresses,
  sayAbbreviations,
  sayWeekdays,
  sayDates,
  sayTimes,
  sayPhoneNumbers,
  joinThousands,
  sayComparisons,
  sayPerShort,
  sayMoney,
  sayCodes,
  sayUnits,
  sayPer,
  sayNumbers,
  sayCapitals,
  saySymbols,
  withoutOtherScripts,
  tidy,
];

/**
 * Converts written text to the words of a person reading it aloud, in American English: numbers, money,
 * dates, times, phone numbers, addresses, codes and units in words, without markdown and emoji, pauses as
 * commas.
 * @param text of any length; takes time in proportion to it
 * @returns sentences of words and punctuation, or "" if nothing can be said (only emoji, only another script)
 */
export function spokenForm(text: string): string {
  return READERS.reduce((result, read) => read(result), text);
}

const SYMBOLS: readonly [RegExp, string][] = [
  [/ ?& ?/g, ' and '],
  [/(?<=\w) ?@ ?(?=\w)/g, ' at '],
  [/\band\/or\b/gi, 'and or'],
  [/(?<=[A-Za-z]{2}) ?\/ ?(?=[A-Za-z]{2})/g, ' or '],
  [/(?<=\w) ?\+ ?(?=\w)/g, ' plus '],
  [/(?<=\w) ?= ?(?=\w)/g, ' equals '],
  [/(?<=\w) ?[×] ?(?=\w)/g, ' times '],
  [/(?<=\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve)) x (?=\p{L}{2})/gu, ' times '],
  [/(?<=\d|[a-z]) ?★(?!★)/g, ' stars'],
  [/(?<=\w) ?÷ ?(?=\w)/g, ' divided by '],
  [/ ?(?:→|⇒|->|=>|»|›) ?/g, ', '],
  [/%/g, ' percent'],
  [/°/g, ' degrees '],
  [/[$](?=\w)/g, 'dollars '],
];

function saySymbols(text: string): string {
  return SYMBOLS.reduce((result, [pattern, words]) => result.replace(pattern, words), text);
}

/** The voice speaks English: it would read letters of other scripts as "Chinese letter" one by one. */
function withoutOtherScripts(text: string): string {
  return text.replace(/(?!\p{Script=Latin})[\p{L}\p{M}\p{N}]+/gu, ' ').replace(/(\p{L})\1{3,}/gu, '$1$1');
}

/** Keeps only the marks that affect a voice's pauses and melody. */
function tidy(text: string): string {
  const tidied = text
    .replace(/ [•·∙] /g, ', ')
    .replace(/(?<=\p{L}) ?(?:[—–]|--+) ?(?=[\p{L}"'(])/gu, ', ')
    .replace(/(?<=\p{L}) - (?=\p{L})/gu, ', ')
    .replace(/\.{2,}|…/g, (_, offset: number, whole: string) =>
      /^[\s.…]{0,40}(?:$|\p{Lu}|["')]{1,5}(?:$|\s{0,5}\p{Lu}))/u.test(whole.slice(offset)) ? '.' : ',',
    )
    .replace(/ ?[([{] ?/g, ', ')
    .replace(/ ?[)\]}](?=[\s.,;:!?]|$)/g, ',')
    .replace(/[)\]}]/g, ', ')
    .replace(/\|/g, ', ')
    .replace(/:(?=\s|$)/g, ',')
    .replace(/["*_~^`<>#\\=+@/|$£€¥₹§¶•·]/g, ' ')
    .replace(/(?<!\p{L})'|'(?!\p{L})/gu, '')
    .replace(/(?<!\p{L})-+|-+(?!\p{L})/gu, ' ')
    .replace(/[^\p{L}\p{M}\s.,;:!?'-]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ?([!?])[!?.,;: ]*(?=[!?.,;:])/g, '$1')
    .replace(/([!?])[.,;:!?]+/g, '$1')
    .replace(/(?<! ) +([.,;:!?])/g, '$1')
    .replace(/(?<![,;:])[,;:]+(?=[.!?])/g, '')
    .replace(/([,;:])[,;: ]+(?=[,;:])/g, '')
    .replace(/([,;])[,;:]+/g, '$1')
    .replace(/\.[.,;: ]*(?=\.)/g, '')
    .replace(/\.[,;:]+/g, '.')
    .replace(/([.,;:!?])(?=\p{L})/gu, '$1 ')
    .replace(/^[\s.,;:!?'-]+/u, '')
    .replace(/(?<![\s,;:'-])[\s,;:'-]+$/u, '')
    .replace(/ {2,}/g, ' ');
  if (!/\p{L}/u.test(tidied)) return '';
  return /[.!?]$/.test(tidied) ? tidied : `${tidied}.`;
}
