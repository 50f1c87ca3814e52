import type { Contact } from '#shared/conversations';
import { contactIn, correctedName, isPhone } from './contact.ts';
import { dictatedIn, forgottenBefore, UNASKED_FIGURES } from './dictated-number.ts';
import { isCorrection } from './is-correction.ts';
import { difference, MOST_CHANGED } from './spelling-distance.ts';
import { correctedEmail, plainlySpelled } from './spoken-email.ts';
import { valuesIn } from './spoken-values.ts';

/** Digits of a complete telephone number; fewer are a part. */
const WHOLE = 7;
const spelledRun = /(?<![\p{L}\p{N}'’])(?:\p{L}[\s,.-]{1,3}){2,20}\p{L}(?![\p{L}\p{N}'’])/gu;

/** A correction within a message: "oh one one nine. Sorry, oh one nine one." */
const putRight =
  /[.,;!?]\s+(?:(?:oh|uh|um)[, ]+)?(?:sorry|no|wait|i mean|i meant|correction|rather)\b[,.]?\s+(.{2,80})$/i;

/**
 * The contact details in a message, with spelling and corrections in it applied.
 * @param asked what the customer was asked for: then a bare name counts
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
 * A number in several parts, corrected meanwhile, or with words for more than a digit: "nine hundred",
 * "forty-two".
 * @param read the result without these
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
  // If not asked for, only a complete national number counts.
  const isMeant = phone !== undefined || isAsked || figures.length >= UNASKED_FIGURES;
  const isInPieces = phone !== undefined && /\d\. \d/.test(phone);
  return isMeant && (isPutRight || isMore || isInPieces) ? figures : phone;
}

/**
 * The contact details after a message's correction: "no, with two L", "it's S O N at the end", "no, I said
 * four double seven", another number or address.
 * @returns null if nothing is corrected
 */
export function correctedContact(contact: Contact, message: string): Contact | null {
  const name = contact.name && correctedName(contact.name, message);
  if (name) return { ...contact, name };
  const spelled = spelledInto(contact, message);
  if (spelled) return spelled;
  const given = contactIn(message, null);
  if (given.email && given.email !== contact.email) return { ...contact, email: given.email };
  // Figures put right the number.
  const isOfNumber = contact.phone !== undefined && (dictatedIn(message)?.figures.length ?? 0) > 1;
  const email =
    contact.email && !isOfNumber && isCorrection(message) ? correctedEmail(contact.email, message) : null;
  if (email) return { ...contact, email };
  if (contact.phone) {
    const phone = correctedPhone(contact.phone, message);
    if (phone) return { ...contact, phone };
  }
  return given.name && given.name !== contact.name && /\bnames?\b|\bcalled\b|\bit['’]?s\b/i.test(message)
    ? { ...contact, name: given.name }
    : null;
}

/** Spelled letters replace the most similar word of the name or address. */
function spelledInto(contact: Contact, message: string): Contact | null {
  for (const [run] of plainlySpelled(message).matchAll(spelledRun)) {
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

/** The number with the repeated digits at the best-fitting position; null without any. */
function correctedPhone(phone: string, message: string): string | null {
  const runs = valuesIn(message, { type: 'digits', isAsked: true, today: new Date(0) });
  const said = runs.reduce((longest, run) => (run.length >= longest.length ? run : longest), '');
  const figures = phone.replace(/\D/g, '');
  if (said.length < 2 || said.length > figures.length + 1) return null;
  if (said.length >= WHOLE) return said === figures ? null : said;
  const forgotten = forgottenBefore(figures, said);
  if (forgotten) return `${phone.startsWith('+') ? '+' : ''}${figures.slice(0, -forgotten)}${said}`;
  const last = figures.length - said.length;
  const isAtStart = /\b(?:start|begin\w*|front|first)\b/i.test(message);
  const isAtEnd = /\b(?:end|ends|last|back)\b/i.test(message);
  const places = isAtStart ? [0] : isAtEnd ? [last] : Array.from({ length: last + 1 }, (_, n) => last - n);
  const same = (place: number) => [...said].filter((figure, n) => figures[place + n] === figure).length;
  const place = places.reduce((best, other) => (same(other) > same(best) ? other : best), places[0] ?? last);
  const corrected = `${figures.slice(0, place)}${said}${figures.slice(place + said.length)}`;
  return corrected === figures ? null : `${phone.startsWith('+') ? '+' : ''}${corrected}`;
}
