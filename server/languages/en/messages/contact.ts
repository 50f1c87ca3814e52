import type { Contact } from '#shared/conversations';
import { isDateInFigures } from '../../date-in-figures.ts';
import { DIGITS } from '../number-names.ts';
import { splitSentences } from '../sentences.ts';
import { askingAct } from './acts.ts';
import { dictatedIn, isWholeNumber, UNASKED_FIGURES } from './dictated-number.ts';
import { announcesEmail, spokenEmail, unfinishedEmail } from './spoken-email.ts';
import { capital, spokenName } from './spoken-name.ts';
import { numberOf, numberWords } from './spoken-numbers.ts';

const phone = /(?<![\w.])(\+?\(?\d[\d\s().\-/]{5,20}\d)(?![\w])/;
// Both begin at a word boundary, so that a long word is not tried from each of its letters.
const email = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/u;
const reference =
  /\b(?:order|booking|reservation|claim|account|customer|member(?:ship)?|policy|invoice|ticket|case|reference|ref|tracking|confirmation)(?: (?:number|no|id|code|ref(?:erence)?))?\.?(?: is|:| #|#)? ?#?((?=[\w-]{0,19}\d)[A-Z0-9][\w-]{2,19})\b/i;

const word = "\\p{Lu}[\\p{L}'’-]+";
const particles = "(?: (?:de|da|dos|del|van|von|den|der|la|le|bin|ibn|al|el|y|O['’])){0,2}";
const title = '(?:(?:Mrs?|Ms|Miss|Mx|Dr|Prof|Sir)\\.? )?';
const fullName = `${title}${word}(?:${particles} ${word}){0,3}`;
/** "My name is sean o'brien": typed or recognised without capitals. */
const uncapped =
  /\b(?:my (?:full )?name(?:['’]s| is)|i['’]?m called|i am called|name['’]?s)\s+((?:\p{Ll}[\p{L}'’-]+)(?: \p{Ll}[\p{L}'’-]+){0,3})/iu;
const introduced = new RegExp(
  `\\b(?:[Mm]y name(?:['’]s| is)|[Nn]ame(?:['’]s| is| of|:)|[Ii]t['’]s|[Tt]his is|[Ii]['’]m|[Ii] am|[Cc]all me|[Aa]sk for|under)(?: the name(?: of)?)? (${fullName})`,
  'u',
);
const alone = new RegExp(
  `^(?:(?:[Yy]es|[Ss]ure|[Oo]k(?:ay)?|[Ii]t['’]s|[Mm]y name is),? )?(${fullName})[.!]?$`,
  'u',
);
const names = new RegExp(fullName, 'gu');

/** Capitalised words that are not names of persons. */
const noNames = new Set(
  'Yes No Sure Ok Okay Please Thanks Thank Hello Hi Hey Call Ring Phone My It The And Or But I Then Someone Somebody Can Could Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October November December Sorry Well So Now Not Great Good Fine Right Just That This'.split(
    ' ',
  ),
);

const digits: Record<string, string> = {
  ...Object.fromEntries(DIGITS.map((name, digit) => [name, String(digit)])),
  oh: '0',
  nought: '0',
};
const spokenDigit = `(?:${Object.keys(digits).join('|')})`;
const spokenDigits = new RegExp(
  `\\b(?:plus )?(?:(?:double|triple)[ -])?${spokenDigit}(?:[ ,-]+(?:(?:double|triple)[ -])?${spokenDigit}(?: hundred)?){5,}\\b`,
  'gi',
);

/** Converts spoken digits: "oh seven seven double nine". */
export function withFigures(text: string): string {
  return text.replace(spokenDigits, (said) => {
    let times = 1;
    let figures = /^plus /i.test(said) ? '+' : '';
    for (const each of said.toLowerCase().split(/[ ,-]+/)) {
      if (each === 'double') times = 2;
      else if (each === 'triple') times = 3;
      else if (each === 'hundred') figures += '00';
      else {
        figures += (digits[each] ?? '').repeat(times);
        times = 1;
      }
    }
    return figures;
  });
}

/**
 * The contact details in a message.
 * @param asked what the customer was asked for: then a bare name counts
 */
export function contactIn(message: string, asked: 'name' | 'phone' | null): Contact {
  const text = withFigures(message);
  const found: Contact = {};
  const mail = email.exec(text)?.[0] ?? spokenEmail(text);
  if (mail) found.email = mail;
  const withoutMail = mail ? text.replace(email, ' ') : text;
  const ref = reference.exec(withoutMail)?.[1];
  if (ref) found.reference = ref;
  const number = phone.exec(ref ? withoutMail.replace(ref, ' ') : withoutMail)?.[1]?.trim();
  if (number && isPhone(number)) found.phone = `${number}${extensionIn(text)}`;
  const name = nameIn(
    mail ? message.replace(mail, '0') : message,
    asked,
    Boolean(found.phone ?? mail) || unfinishedContact(message, false) !== null,
  );
  if (name) found.name = name;
  return found;
}

/** "Extension twelve", in its written form after a number. */
function extensionIn(text: string): string {
  const [, said = ''] =
    /\b(?:extension|ext\.?)(?: number)?[\s:]{0,2}((?:\d|[a-z]+\b|[ ,-]){1,30})/i.exec(text) ?? [];
  const figures = said
    .toLowerCase()
    .split(/[ ,-]+/)
    .filter((word) => numberWords.includes(word) || /^\d+$/.test(word));
  const number = numberOf(figures);
  return number && number.length <= 6 ? ` ext. ${number}` : '';
}

/** A telephone number has 7 to 15 digits (ITU-T E.164) and is neither a date nor a range of years. */
export function isPhone(text: string): boolean {
  const count = text.replace(/\D/g, '').length;
  return count >= 7 && count <= 15 && !isDateInFigures(text);
}

/** Words that continue a sentence where a name might follow. */
const inSentences =
  /^(?:is|are|was|on|in|at|under|for|with|from|about|not|spelled|spelt|there|here|my|your|the|a|an|to|of|as|by|that)$/;

/** "Oh" and "Double" more often begin a number than a name. */
const isNumber = (name: string) => numberWords.includes(name.split(' ')[0]?.toLowerCase() ?? '');

function nameIn(
  message: string,
  asked: 'name' | 'phone' | null,
  isBesideNumber: boolean,
): string | undefined {
  const said = introduced.exec(message)?.[1];
  if (said && !noNames.has(said.split(' ')[0] ?? '') && !isNumber(said)) return said;
  const small = uncapped.exec(message)?.[1]?.split(' ') ?? [];
  const end = small.findIndex((each) => noNames.has(capital(each)) || inSentences.test(each));
  const named = end < 0 ? small : small.slice(0, end);
  if (named.length > 0)
    return named
      .map((each) => (/^(?:de|van|von|der|la|bin|al)$/.test(each) ? each : capital(each)))
      .join(' ');
  const isWish = () => splitSentences(message).some((sentence) => askingAct(sentence) === 'handover');
  const isInParts = (dictatedIn(message)?.figures.length ?? 0) >= UNASKED_FIGURES;
  const isBeside = isBesideNumber || isInParts || isWish();
  const spoken = spokenName(message, asked === 'name', isBeside);
  if (spoken) return spoken;
  if (asked) {
    const bare = alone.exec(message.trim())?.[1];
    if (bare && !noNames.has(bare) && !isNumber(bare)) return bare;
  }
  if (!isBesideNumber) return undefined;
  // "07700 900417, Priya": beside a number, a capitalised word within a sentence is a name.
  const candidates = [...message.matchAll(names)].flatMap(({ 0: name, index }) => {
    const kept = name
      .split(' ')
      .filter((each) => !noNames.has(each.split(/['’]/)[0] ?? '') && !isNumber(each))
      .join(' ');
    const beginsSentence = index === 0 || /[.!?]\s*$/.test(message.slice(0, index));
    // "Ring me. Ana Berg. It's 07700 …": a name may be a whole sentence.
    const isAlone = name.includes(' ') && /^\.(?=\s|$)/.test(message.slice(index + name.length));
    const isAddressed =
      isAlone || /^(?:[,;:]|\s+(?:here|on|at|and my|[+(\d]))/.test(message.slice(index + name.length));
    return kept && (!beginsSentence || isAddressed) ? [kept] : [];
  });
  return candidates.at(-1);
}

/** "No, with two L": doubles the last such letter of the name. */
export function correctedName(name: string, message: string): string | null {
  const letter = /\bwith (?:two|double|a double|2) ['"]?(\p{L})(?:['’]?s)?\b/iu
    .exec(message)?.[1]
    ?.toLowerCase();
  if (!letter) return null;
  const at = name.toLowerCase().lastIndexOf(letter);
  if (at < 0 || name.charAt(at - 1).toLowerCase() === letter) return null;
  return `${name.slice(0, at)}${letter}${name.slice(at)}`;
}

/** Digits needed to recognise an unasked-for number: "oh one six three two". */
const BEGINS_WITH = 4;

/** Digits needed behind "my number is". */
const ANNOUNCED_WITH = 3;

/** What is said before a number to be reached on. */
const announcesNumber =
  /\b(?:my|our|his|her) (?:(?:home|work|mobile|cell|contact|new|best|other) ?)?(?:phone|mobile|cell|telephone|land ?line|number)(?: number)?\b|\b(?:reach|ring|call|phone|text|get|contact|find) (?:me|us|him|her) (?:\p{L}+ )?(?:on|at)\b/iu;

/** "My number is oh two oh", "you can e-mail me at jo dot": it is left, whatever else the message asks. */
export function announcesContact(message: string): boolean {
  const dictated = dictatedIn(message);
  const before = dictated ? message.slice(0, dictated.start) : '';
  const isNumber =
    (dictated?.figures.length ?? 0) >= ANNOUNCED_WITH &&
    announcesNumber.test(before) &&
    /(?:\bis|['’]s|\bits|\bon|\bat|:|,)[\s+]*$/i.test(before.slice(-20));
  return isNumber || announcesEmail(message);
}

/**
 * The unfinished number or address at the end of a message, whose rest is still to come: "oh seven seven oh",
 * "jo dot".
 * @param isAsked the customer was asked for it
 */
export function unfinishedContact(message: string, isAsked: boolean): string | null {
  const dictated = dictatedIn(message);
  if (dictated && !isWholeNumber(dictated.figures)) {
    const { figures, isLast, start, said } = dictated;
    const isNumber = figures.length >= BEGINS_WITH && /^(?:0|\+)/.test(said.startsWith('+') ? said : figures);
    const begins = isLast && (isNumber || announcesContact(message));
    if (begins || (isAsked && figures.length > 1 && isPartOfContact(message.slice(start))))
      return message.slice(start);
  }
  if (spokenEmail(message)) return null;
  const half = unfinishedEmail(message);
  if (half) return half;
  const last = splitSentences(message).at(-1) ?? '';
  return joinsParts(last) && isPartOfContact(last) ? last : null;
}

/** "Jo dot smith": a spoken address. */
const joinsParts = (message: string) => /\b(?:dot|underscore|hyphen|dash)\b|@/i.test(message);

/** Whether it may be part of a number or address whose rest is still to come: "oh seven seven oh". */
export function isPartOfContact(message: string): boolean {
  const words = message.toLowerCase().match(/[\p{L}\p{N}@._+-]+/gu) ?? [];
  const isFigure = (each: string) =>
    each in digits || numberWords.includes(each) || /^(?:double|triple|plus|\+?\d[\d.-]{0,9})$/.test(each);
  const figures = words.filter(isFigure).length;
  return (
    words.length > 0 &&
    words.length <= 12 &&
    (figures >= Math.max(2, words.length / 2) ||
      figures === words.length ||
      (joinsParts(message) && words.length <= 8))
  );
}
