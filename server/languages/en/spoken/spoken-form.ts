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

/** Each one reads what it knows and leaves words behind; what comes first wins where two could read the same. */
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
 * Text as it is written → the words a person would say when reading it aloud, in American English: numbers, money, dates,
 * times, phone numbers, addresses, codes and units in words, markdown and emoji left out, pauses as commas.
 * @param text anything up to any length; takes time in proportion to it
 * @returns sentences of words and punctuation, or "" when there is nothing to say (only emoji, only another script)
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

/** The voice speaks English: letters of another script would be read as "Chinese letter" one by one. */
function withoutOtherScripts(text: string): string {
  return text.replace(/(?!\p{Script=Latin})[\p{L}\p{M}\p{N}]+/gu, ' ').replace(/(\p{L})\1{3,}/gu, '$1$1');
}

/** Leaves only the marks that a voice makes pauses and melody of. */
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
