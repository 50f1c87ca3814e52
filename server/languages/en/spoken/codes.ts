import { spell } from './contacts.ts';
import { cardinal, digitGroups, digits } from './number-words.ts';

/**
 * Capitals and digits in one token, with parts joined by hyphens: order, tracking, model and discount codes.
 */
const CODE =
  /(?<![\w@#/.-])(?=[A-Z0-9_-]{0,60}[A-Z])(?=[A-Z0-9_-]{0,60}\d)[A-Z0-9]{1,40}(?:[-_][A-Z0-9]{1,40}){0,8}(?![\w-])/g;
const LETTERS_THEN_NUMBER = /(?<![\w-])([A-Z]{2,4})[ #]{1,2}(\d{4,12})(?![\w.,]\d|\w)/g;
const MIXED = /(?<![\w-])(?=\w{0,40}\d)(?=\w{0,40}[A-Za-z])[A-Za-z0-9]{2,40}(?!\w)/g;
const NUMBERED =
  /\b(order|orders|number|code|reference|ref|ticket|case|invoice|account|tracking|serial|pin|zip|postcode|voucher|coupon|confirmation|booking|id|model|room|suite|flight|gate|locker|box|ending in|ends in|ending with|ends with)((?: (?:number|code|no\.?|is|id|of))?:? ?#? ?)(\d{4,20})(?![\d.,]\d|\w|%)/gi;
const MASKED = /(?<![*•xX])[*•xX]{2,}[ -]?(\d{4})\b/g;
const CARD = /(?<![\w-])\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?![\w-])/g;
const NUMBER_SIGN = /(?<![\w&])#[ ]?(\d{1,20})(?![\w-])/g;
const NUMBER_SIGN_OF = /(?<![\w&])#(?= of\b)/g;
const NUMBER_SIGN_CODE = /(?<![\w&])#[ ]?(?=[A-Za-z0-9-]{0,40}\d)([A-Z][A-Za-z0-9-]{1,40})/g;
const NUMERO = /\b(?:No|Nr|№)\.? ?(?=\d)/g;
const VERSION = /\b(?:v|version |ver\. ?)(\d+(?:\.\d+){1,3})\b/gi;
const DOTTED = /(?<![\w.])\d+(?:\.\d+){2,5}(?![\w.]\d)/g;

/** British postcodes: district, then street. */
const POSTCODE = /(?<![\w-])([A-Z]{1,2}\d[A-Z\d]?) (\d[A-Z]{2})(?![\w-])/g;
/** Quantities, which the reader of units handles. */
const QUANTITY = /^\d+(?:V|k?W|[KMGT]B|MP)$/;

/** Words in capitals inside a code that are read as words: "SAVE20", "COVID-19". */
const WORDLIKE = /^(?=.*[AEIOUY])[A-Z]{4,}$/;
const SHORT_CODE = 3;

/** Reads codes and identifying numbers character by character, with pauses between parts. */
export function sayCodes(text: string): string {
  return text
    .replace(CARD, (number) => number.split(/[ -]/).map(digits).join(', '))
    .replace(MASKED, (_, last: string) => `ending in ${digits(last)}`)
    .replace(VERSION, (_, version: string) => `version ${sayDotted(version)}`)
    .replace(DOTTED, (number) => sayDotted(number, number.split('.').length > 3 ? 'dot' : 'point'))
    .replace(NUMERO, 'number ')
    .replace(POSTCODE, (_, outward: string, inward: string) => `${sayMixed(outward)}, ${sayMixed(inward)}`)
    .replace(NUMBER_SIGN_OF, 'number')
    .replace(NUMBER_SIGN_CODE, '$1')
    .replace(NUMBER_SIGN, (_, number: string) => `number ${sayIdentifier(number)}`)
    .replace(NUMBERED, (_, what: string, between: string, number: string) => {
      return `${what}${between.replace('#', '').replace(/\bno\.? /i, 'number ')}${digitGroups(number)}`;
    })
    .replace(CODE, sayCode)
    .replace(LETTERS_THEN_NUMBER, (whole, letters: string, number: string) =>
      /^(?:IN|BY|OF|TO|AT|ON|FOR|FROM|USD|EUR|GBP)$/.test(letters)
        ? whole
        : `${spell(letters)}, ${digitGroups(number)}`,
    )
    .replace(MIXED, sayMixed);
}

const sayDotted = (version: string, joint = 'point') =>
  version
    .split('.')
    .map((part) => (part.length > 2 ? digits(part) : cardinal(Number(part))))
    .join(` ${joint} `);

/** Reads a short number as a number, a long one as digits. */
const sayIdentifier = (number: string) =>
  number.length >= 4 || (number.startsWith('0') && number.length > 1)
    ? digitGroups(number)
    : cardinal(Number(number));

function sayCode(code: string): string {
  if (QUANTITY.test(code)) return code;
  const parts = code.match(/[A-Z]+|\d+/g) ?? [];
  const isShort = parts.join('').length <= SHORT_CODE;
  const spoken = parts.map((part) => {
    if (WORDLIKE.test(part)) return part.charAt(0) + part.slice(1).toLowerCase();
    if (!/\d/.test(part)) return spell(part);
    const beside = parts.some((other) => WORDLIKE.test(other));
    return (isShort || beside) && part.length <= 2 && !part.startsWith('0')
      ? cardinal(Number(part))
      : digitGroups(part);
  });
  const wordThenNumber = parts.length === 2 && WORDLIKE.test(parts[0] ?? '');
  return spoken.join(isShort || wordThenNumber ? ' ' : ', ');
}

/** "iPhone15" → "iPhone fifteen", "abc123" → "A B C one two three". Excludes ordinals, units and times. */
function sayMixed(token: string): string {
  if (QUANTITY.test(token) || /^(?:\d+x\d+[a-z]{0,2}|x\d+|\d+(?:h|hrs?)\d+(?:m|mins?)?)$/.test(token))
    return token;
  if (/^\d+(?:st|nd|rd|th|s|x|[ap]m|[a-zµ]{1,5}|[kKMGT]?B|[KMG]?Hz|[kM]?W|kWh|mAh|MP|k|K|M)$/.test(token))
    return token;
  const parts = token.match(/[A-Za-z]+|\d+/g) ?? [];
  return parts
    .map((part) => {
      if (/\d/.test(part))
        return part.length <= 2 && !part.startsWith('0') ? cardinal(Number(part)) : digitGroups(part);
      return /[aeiouy]/i.test(part) && part.length > 2 && /[a-z]/.test(part.slice(1)) && !isKeyboardRow(part)
        ? part
        : spell(part);
    })
    .join(' ');
}

const isKeyboardRow = (letters: string) => /^(?:abc|xyz|abcd)+$/i.test(letters);
