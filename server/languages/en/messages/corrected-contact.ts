import type { Contact } from '#shared/conversations';
import { contactIn, correctedName, isPhone } from './contact.ts';
import { dictatedIn } from './dictated-number.ts';
import { isCorrection } from './is-correction.ts';
import { difference, MOST_CHANGED } from './spelling-distance.ts';
import { correctedEmail } from './spoken-email.ts';
import { valuesIn } from './spoken-values.ts';

/** A telephone number has so many figures: fewer are a part of one. */
const WHOLE = 7;
/** One that nobody asked for has so many. */
const UNASKED = 10;
const spelledRun = /(?<![\p{L}\p{N}'’])(?:\p{L}[\s,.-]{1,3}){2,20}\p{L}(?![\p{L}\p{N}'’])/gu;

/** What is put right within what is said: "oh one one nine. Sorry, oh one nine one." */
const putRight =
  /[.,;!?]\s+(?:(?:oh|uh|um)[, ]+)?(?:sorry|no|wait|i mean|i meant|correction|rather)\b[,.]?\s+(.{2,80})$/i;

/**
 * What a message says of how to reach the customer, with what it spells and puts right itself.
 * @param asked what they were asked for: then a bare name is one
 */
export function contactLeft(message: string, asked: 'name' | 'phone' | null): Contact {
  const said = contactIn(message, asked);
  const phone = numberIn(message, asked === 'phone', said);
  const given: Contact = { ...said, ...(phone ? { phone } : {}) };
  if (!given.phone && !given.email && !given.name) return given;
  const contact = spelledInto(given, message) ?? given;
  const after = putRight.exec(message)?.[1];
  const email = after && contact.email ? correctedEmail(contact.email, after) : null;
  return email ? { ...contact, email } : contact;
}

/**
 * A number told in several parts, put right on the way, or with words for more than a figure: "nine hundred", "forty-two".
 * @param read what was read without those
 */
function numberIn(message: string, isAsked: boolean, { phone, email, reference = '' }: Contact) {
  const dictated = dictatedIn(message);
  const isOther =
    !dictated ||
    email !== undefined ||
    reference.replace(/\D/g, '').includes(dictated.figures) ||
    !isPhone(dictated.figures);
  if (isOther || (/\d[./-]\d/.test(dictated.said) && !isPhone(dictated.said))) return phone;
  const { figures, isPutRight } = dictated;
  const isMore = figures.length > (phone?.split(' ext')[0]?.replace(/\D/g, '').length ?? 0);
  // Unasked a whole number of a country alone is one.
  const isMeant = phone !== undefined || isAsked || figures.length >= UNASKED;
  const isInPieces = phone !== undefined && /\d\. \d/.test(phone);
  return isMeant && (isPutRight || isMore || isInPieces) ? figures : phone;
}

/**
 * What was left to reach somebody by, as a message corrects it: "no, with two L", "it's S O N at the end", "no, I said four
 * double seven", another number or address.
 * @returns null where nothing is corrected
 */
export function correctedContact(contact: Contact, message: string): Contact | null {
  const name = contact.name && correctedName(contact.name, message);
  if (name) return { ...contact, name };
  const spelled = spelledInto(contact, message);
  if (spelled) return spelled;
  const given = contactIn(message, null);
  if (given.email && given.email !== contact.email) return { ...contact, email: given.email };
  const email = contact.email && isCorrection(message) ? correctedEmail(contact.email, message) : null;
  if (email) return { ...contact, email };
  if (contact.phone) {
    const phone = correctedPhone(contact.phone, message);
    if (phone) return { ...contact, phone };
  }
  return given.name && given.name !== contact.name && /\bnames?\b|\bcalled\b|\bit['’]?s\b/i.test(message)
    ? { ...contact, name: given.name }
    : null;
}

/** Letters said one by one stand for the word of the name or the address that is nearest to them. */
function spelledInto(contact: Contact, message: string): Contact | null {
  for (const [run] of message.matchAll(spelledRun)) {
    const word = run.replace(/[^\p{L}]/gu, '').toLowerCase();
    for (const key of ['name', 'email'] as const) {
      const written = contact[key];
      const parts = written?.split('@')[0]?.match(/\p{L}+/gu) ?? [];
      const nearest = parts
        .map((part) => ({ part, share: difference(part, word) }))
        .sort((a, b) => a.share - b.share)[0];
      if (!written || !nearest || nearest.share === 0 || nearest.share > MOST_CHANGED) continue;
      const cased =
        key === 'name' && /^\p{Lu}/u.test(nearest.part) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
      return { ...contact, [key]: written.replace(nearest.part, cased) };
    }
  }
  return null;
}

/** The number with what was said anew in the place where it fits best; null where nothing was. */
function correctedPhone(phone: string, message: string): string | null {
  const runs = valuesIn(message, { type: 'digits', isAsked: true, today: new Date(0) });
  const said = runs.reduce((longest, run) => (run.length >= longest.length ? run : longest), '');
  const figures = phone.replace(/\D/g, '');
  if (said.length < 2 || said.length > figures.length + 1) return null;
  if (said.length >= WHOLE) return said === figures ? null : said;
  const last = figures.length - said.length;
  const isAtStart = /\b(?:start|begin\w*|front|first)\b/i.test(message);
  const isAtEnd = /\b(?:end|ends|last|back)\b/i.test(message);
  const places = isAtStart ? [0] : isAtEnd ? [last] : Array.from({ length: last + 1 }, (_, n) => last - n);
  const same = (place: number) => [...said].filter((figure, n) => figures[place + n] === figure).length;
  const place = places.reduce((best, other) => (same(other) > same(best) ? other : best), places[0] ?? last);
  const corrected = `${figures.slice(0, place)}${said}${figures.slice(place + said.length)}`;
  return corrected === figures ? null : `${phone.startsWith('+') ? '+' : ''}${corrected}`;
}
