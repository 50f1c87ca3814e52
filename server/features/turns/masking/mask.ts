import { isDateInFigures } from '#server/languages/date-in-figures';
import type { Messages } from '#server/languages/messages';
import type { Mask } from '#shared/agents';
import { nationalIds } from './national-ids.ts';

/** Separators in numbers as people write and say them. */
const BETWEEN = '(?:[ .,-]|, )?';
/** 13 to 19 figures (ISO/IEC 7812). */
const cardNumber = new RegExp(`(?<![\\d+])\\d(?:${BETWEEN}\\d){12,18}(?!\\d)`, 'g');
/** Two letters, two check digits, up to 30 more (ISO 13616). */
const accountNumber = /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]){11,30}\b/gi;
const mailbox = /[\p{L}\p{N}._%+-]/u;
const mailDomain = /@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/uy;
/** Seven figures and more, perhaps in groups; `isPhone` decides. */
const phoneNumber = /(?<![\w.,$€£-])(?:\+|0|\(0?)?\d(?:[ ().\-/]{0,2}\d){6,}(?![\w%])/g;

/**
 * Replaces data that must not be stored.
 * @returns the text, and whether a part was replaced; otherwise the text is unchanged
 */
export function mask(
  text: string,
  masks: readonly Mask[],
  { withFigures, maskedAs }: Pick<Messages, 'withFigures' | 'maskedAs'>,
): { text: string; isMasked: boolean } {
  let masked = withFigures(text);
  const figures = masked;
  const leaveOut = (form: RegExp, word: string, isOne: (found: string) => boolean = () => true) => {
    masked = masked.replace(form, (found) => (isOne(found) ? word : found));
  };
  if (masks.includes('national-id'))
    for (const { form, isValid = () => true } of nationalIds)
      leaveOut(form, maskedAs.nationalId, (found) => isValid(found.replace(/[ -]/g, '')));
  if (masks.includes('payment')) {
    leaveOut(accountNumber, maskedAs.account, isAccount);
    leaveOut(cardNumber, maskedAs.card, isCard);
  }
  if (masks.includes('email')) masked = withoutAddresses(masked, maskedAs.email);
  if (masks.includes('phone')) leaveOut(phoneNumber, maskedAs.phone, isPhone);
  return masked === figures ? { text, isMasked: false } : { text: masked, isMasked: true };
}

/**
 * Replaces each e-mail address by a word. Searches outwards from each "@": a pattern for whole addresses would restart
 * at every letter of a long word, and block the thread of all messages.
 */
function withoutAddresses(text: string, word: string): string {
  let out = '';
  let done = 0;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const from = mailboxStart(text, at, done);
    mailDomain.lastIndex = at;
    if (from === at || !mailDomain.test(text)) continue;
    out += text.slice(done, from) + word;
    done = mailDomain.lastIndex;
  }
  return out + text.slice(done);
}

/** Start of the word that ends before `end`, not before `from`. */
function mailboxStart(text: string, end: number, from: number): number {
  let start = end;
  while (start > from) {
    // A letter may be two units long.
    const step =
      start - 2 >= from && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(start - 2, start)) ? 2 : 1;
    if (!mailbox.test(text.slice(start - step, start))) break;
    start -= step;
  }
  return start;
}

/** The check digit of cards (Luhn, ISO/IEC 7812-1). */
function isCard(found: string): boolean {
  const digits = found.replace(/\D/g, '');
  const sum = [...digits].reverse().reduce((sum, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0 && !/^(\d)\1+$/.test(digits);
}

/** The check digits of accounts: the remainder by 97 is 1 (ISO 7064). */
function isAccount(found: string): boolean {
  const id = found.replaceAll(' ', '').toUpperCase();
  const digits = [...(id.slice(4) + id.slice(0, 4))].map((char) => Number.parseInt(char, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}

/** A telephone number has 7 to 15 figures (ITU-T E.164): a short one only after a plus or a zero. */
function isPhone(found: string): boolean {
  const digits = found.replace(/\D/g, '');
  const hasGroups = /\d[ ().\-/]+\d/.test(found);
  return (
    !isDateInFigures(found) &&
    digits.length <= 15 &&
    (/^[+(]?[+0]/.test(found) || (digits.length >= 9 && hasGroups))
  );
}
