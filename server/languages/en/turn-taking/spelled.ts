import type { Ending, ExpectedAnswer } from '#server/languages/turn-taking';

const digitWords: Readonly<Record<string, number>> = {
  zero: 1,
  oh: 1,
  one: 1,
  two: 1,
  three: 1,
  four: 1,
  five: 1,
  six: 1,
  seven: 1,
  eight: 1,
  nine: 1,
  ten: 2,
  eleven: 2,
  twelve: 2,
  thirteen: 2,
  fourteen: 2,
  fifteen: 2,
  sixteen: 2,
  seventeen: 2,
  eighteen: 2,
  nineteen: 2,
  twenty: 2,
  thirty: 2,
  forty: 2,
  fifty: 2,
  sixty: 2,
  seventy: 2,
  eighty: 2,
  ninety: 2,
  hundred: 1,
  thousand: 1,
};
const joiners = new Set([
  'dash',
  'hyphen',
  'dot',
  'point',
  'underscore',
  'slash',
  'double',
  'triple',
  'plus',
  'at',
]);

/** The customer announces a code: "my order number is", "it's reference". */
const codeNamed =
  /\b(?:order|account|customer|member(?:ship)?|reference|tracking|booking|confirmation|invoice|ticket|case|serial|policy|card|model|registration|reservation|zip|postal|loyalty|contract|tax|phone|mobile|telephone|cell|flight|pin|passport|licen[sc]e|room) (?:number|no|code|id|ends|begins|starts)\b|\b(?:number|code|id|digits|reference|postcode|zip|pin|serial)(?:'s| is| was|:|,| i have is)? ?|\bspelled\b/;
const emailNamed = /\be-?mail(?: address)?(?:'s| is| would be|:)? ?|\bmy address is [\w.]+ at\b/;
const topLevel = '(?:com|net|org|edu|gov|uk|de|io|info|us|eu|biz|ca|au|fr|ie|in)';

/** Number of digits of a complete code, if known. */
function wholeAt(text: string, expected: ExpectedAnswer): number {
  if (/\b(?:credit|debit)? ?card\b/.test(text)) return 15;
  if (expected === 'phone' || /\b(?:phone|mobile|telephone|cell|callback)\b/.test(text)) return 10;
  if (/\b(?:zip|postal)\b/.test(text)) return 5;
  return 12;
}

/**
 * Whether a number, code, name or e-mail address is being spelled.
 * @param words the whole utterance
 * @returns null if not
 */
export function readSpelling(
  text: string,
  words: readonly string[],
  expected: ExpectedAnswer,
): Ending | null {
  return readEmail(text, words, expected) ?? readCode(text, words, expected);
}

function readEmail(text: string, words: readonly string[], expected: ExpectedAnswer): Ending | null {
  const begun = /\S@|@\S|\w\.* at (?:gmail|yahoo|hotmail|outlook|icloud|[\w-]+ dot)\b/.test(text);
  if (!begun && expected !== 'email' && !emailNamed.test(text)) return null;
  if (new RegExp(`[\\w-](?: dot |\\.)${topLevel}[\\s.!?,]*$`).test(text))
    return /\bco[\s.!?,]*$/.test(text) ? 'spelling' : 'complete-answer';
  if (begun) return /(?:@|\bat )[\w.-]*(?: dot[\s.!?,]*|[\s!?,][\s.!?,]*)?$/.test(text) ? 'spelling' : null;
  const named = emailNamed.exec(text);
  const rest = named
    ? words.length -
      text
        .slice(0, named.index + named[0].length)
        .trim()
        .split(/\s+/).length
    : words.length;
  const isSpelled = words
    .slice(-Math.max(rest, 1))
    .some((word) => isCodeWord(word) || /[\d._]/.test(word) || word === 'at');
  if (named && rest > 0 && rest <= 6 && /(?:'s|is|be|:) ?$/.test(named[0].trim())) return 'spelling';
  return isSpelled && (expected === 'email' || named) ? 'spelling' : null;
}

function readCode(text: string, words: readonly string[], expected: ExpectedAnswer): Ending | null {
  // "It's spelled …": recognition may write anything for letters.
  if (
    /\bspel(?:led|t|l)\b(?! (?:it|that|this|your|my|out))/.test(text) &&
    !/\b(?:how|wrong|right|correct(?:ly)?)\b/.test(text) &&
    words.length <= 8
  )
    return 'spelling';
  let run = 0;
  let digits = 0;
  let letters = 0;
  for (const word of words.toReversed()) {
    if (!isCodeWord(word) && !(run > 0 && /^[ai]$/.test(word))) break;
    run++;
    digits += /\d/.test(word) ? word.replace(/\D/g, '').length : (digitWords[word] ?? 0);
    if (/^[a-z](?:-[a-z])*$/.test(word)) letters += word.split('-').length;
  }
  if (run === 0 || (text.includes('?') && digits >= 5)) return null;
  const asked = expected === 'code' || expected === 'phone';
  if (
    /^(?:oh|a|i|one|number|at|point|plus)$/.test(words.at(-1) ?? '') &&
    run === 1 &&
    !asked &&
    !codeNamed.test(text)
  )
    return null;
  if (asked || codeNamed.test(text)) {
    const amount = /(?:[$€£%]|\b(?:dollars|euros|percent|am|pm|o'clock))/.test(text.slice(-14));
    if (amount) return null;
    return digits >= wholeAt(text, expected) ? 'complete-answer' : 'spelling';
  }
  // Nothing but code: the customer is dictating.
  if (expected === 'anything' && run >= 2 && run === words.length)
    return digits >= 12 ? 'complete-answer' : 'spelling';
  if (letters >= 2 || (run >= 3 && digits >= 3)) return digits >= 12 ? 'complete-answer' : 'spelling';
  // "I bought two …", "for twenty …": a small number without its noun.
  const last = words.at(-1) ?? '';
  if (
    expected === 'anything' &&
    run === 1 &&
    (digitWords[last] !== undefined || /^\d{1,2}$/.test(last)) &&
    !/^(?:oh|one)$/.test(last)
  )
    return 'open-ended';
  return null;
}

function isCodeWord(word: string): boolean {
  if (digitWords[word] !== undefined || joiners.has(word)) return true;
  if (/^[a-z](?:-[a-z0-9])*$/.test(word)) return word !== 'i' && word !== 'a';
  return (
    /^(?=.*\d)[a-z0-9]+(?:[-./][a-z0-9]+)*$/.test(word) && !/(?:st|nd|rd|th|am|pm|kg|gb|mb|x)$/.test(word)
  );
}
