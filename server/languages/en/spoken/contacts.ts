import { cardinal, digitGroups, digits } from './number-words.ts';

const EMAIL = /(?<![\w.+-])([A-Za-z0-9][\w.+-]{0,63})@([A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5})/g;
const URL_WITH_SCHEME = /\b(?:https?:\/\/|www\.)[^\s<>"'()[\]{}]{1,2000}/gi;
const BARE_DOMAIN =
  /(?<![\w@.-])((?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.){1,4}(?:com|org|net|edu|gov|io|ai|app|dev|shop|store|info|biz|care|co|uk|us|eu|de|ca|au|me|tv|example))(\/(?:[\w./-]{0,200}[\w/-])?)?(?![\w@])/g;
const DOMAIN_WITH_PATH =
  /(?<![\w@./-])((?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.){1,4}[a-z]{2,12})(\/[\w./-]{0,200}[\w/-])(?![\w@])/g;
const MAX_PATH = 40;

/** Reads addresses as for dictation: "help@sigma-care.com" → "help at sigma dash care dot com". */
export function sayAddresses(text: string): string {
  return text
    .replace(EMAIL, (_, local: string, domain: string) => `${sayPart(local)} at ${sayDomain(domain)}`)
    .replace(URL_WITH_SCHEME, sayUrl)
    .replace(DOMAIN_WITH_PATH, (_, domain: string, path: string) => `${sayDomain(domain)}${sayPath(path)}`)
    .replace(BARE_DOMAIN, (_, domain: string, path?: string) => `${sayDomain(domain)}${sayPath(path ?? '')}`);
}

function sayUrl(url: string): string {
  const end = /(?<![.,;:!?…])[.,;:!?…]+$/.exec(url)?.[0] ?? '';
  const address = url
    .slice(0, url.length - end.length)
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/[?#].*/, '');
  const slash = address.indexOf('/');
  const host = slash < 0 ? address : address.slice(0, slash);
  const path = slash < 0 ? '' : address.slice(slash);
  return `${sayDomain(host.replace(/:\d+$/, ''))}${sayPath(path)}${end}`;
}

/** A long path is shortened, since nobody would listen to it. */
function sayPath(path: string): string {
  const clean = path.replace(/(?<!\/)\/+$/, '');
  if (clean === '' || clean.length > MAX_PATH) return '';
  return clean
    .split('/')
    .filter(Boolean)
    .map((segment) => ` slash ${sayPart(segment)}`)
    .join('');
}

const sayDomain = (domain: string) =>
  domain
    .split('.')
    .map((label, index, labels) =>
      index > 0 && label.length === 2 && label !== 'co' && index === labels.length - 1
        ? spell(label)
        : sayPart(label),
    )
    .join(' dot ');

const PART_SYMBOLS: Readonly<Record<string, string>> = {
  '.': ' dot ',
  '-': ' dash ',
  _: ' underscore ',
  '+': ' plus ',
  '~': ' tilde ',
  '%': ' percent ',
  '=': ' equals ',
  '&': ' and ',
};

function sayPart(part: string): string {
  return part
    .replace(/\d+/g, (number) => ` ${digits(number)} `)
    .replace(/[A-Za-z]+/g, (letters) => (isSayable(letters) ? letters : spell(letters)))
    .replace(/[.\-_+~%=&]/g, (symbol) => PART_SYMBOLS[symbol] ?? ' ')
    .replace(/[^A-Za-z ]/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

const isSayable = (letters: string) => /[aeiouy]/i.test(letters) && letters.length > 1;

/** "abc" → "A B C". */
export const spell = (letters: string) => [...letters.toUpperCase()].join(' ');

const PHONE_INTERNATIONAL = /(?<![\w.])\+\d{1,3}(?:[ .-]?\(?\d{1,4}\)?){2,5}(?!\w)/g;
const PHONE_NATIONAL = /(?<![\w.+-])(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\w-])/g;
const PHONE_LOCAL =
  /(?<![\w.-])(?:555|(?<=\b(?:call|phone|tel|dial|text|number)(?: is)?:? )\d{3})[ .-]\d{4}(?![\w-])/gi;
/** 9 to 12 figures in groups, as most countries outside of North America write a number. */
const PHONE_WITH_ZERO =
  /(?<![\w.-])(?=(?:[ ()-]{0,2}\d){9,12}(?![ -]?\d))\(?0\d{1,5}\)?(?:[ -]\d{2,8}){1,4}(?![\w-])/g;
const FREEPHONE_SHORT = /(?<![\w.-])0[58]00[ -]\d{4}(?![\w-]| ?\d)/g;
const SHORT_NUMBER = /(?<=\b(?:call|dial|text) )\d{3}(?![\w-]|[.,]\d| (?:people|customers|times))/gi;
const EXTENSION =
  /\b(?:ext\.?|extension) ?(\d{1,6})\b|(?<=(?:zero|one|two|three|four|five|six|seven|eight|nine)) ?x ?(\d{1,6})\b/gi;

/** Reads phone numbers digit by digit in their groups; "800" as a number. */
export function sayPhoneNumbers(text: string): string {
  return [PHONE_INTERNATIONAL, PHONE_NATIONAL, PHONE_LOCAL, PHONE_WITH_ZERO, FREEPHONE_SHORT]
    .reduce((result, pattern) => result.replace(pattern, sayPhone), text)
    .replace(SHORT_NUMBER, digits)
    .replace(EXTENSION, (_, number?: string, short?: string) =>
      number ? `extension ${digits(number)}` : `, extension ${digits(short ?? '')}`,
    );
}

function sayPhone(number: string): string {
  // "+44 (0)1632": the zero is not dialled after a country code.
  const groups = number.replace(/^(\+\d+ ?)\(0\)/, '$1 ').match(/\d+/g) ?? [];
  const spoken = groups.map((group, index) => {
    const isAreaOf800 = index === 0 || (index === 1 && groups[0] === '1');
    if (/^[89]00$/.test(group) && groups.length > 2 && isAreaOf800)
      return `${cardinal(Number(group) / 100)} hundred`;
    return group.length === 5 ? digits(group) : digitGroups(group);
  });
  return `${number.startsWith('+') ? 'plus ' : ''}${spoken.join(', ')}`;
}
