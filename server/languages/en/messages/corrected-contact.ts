import type { Contact } from '#shared/conversations';
import { contactIn, correctedName, isPartOfContact } from './contact.ts';
import { valuesIn } from './spoken-values.ts';

/** A telephone number has so many figures: fewer are a part of one. */
const WHOLE = 7;
const MOST = 15;
const spelledRun = /(?<![\p{L}\p{N}'’])(?:\p{L}[\s,.-]{1,3}){2,20}\p{L}(?![\p{L}\p{N}'’])/gu;
/** How much of a word may be another one than was spelled. */
const MOST_CHANGED = 0.4;

/** What is put right within what is said: "oh one one nine. Sorry, oh one nine one." */
const putRight =
  /[.,;!?]\s+(?:(?:oh|uh|um)[, ]+)?(?:sorry|no|wait|i mean|i meant|correction|rather)\b[,.]?\s+(.{2,80})$/i;

/**
 * What a message says of how to reach the customer, with what it spells and puts right itself.
 * @param asked what they were asked for: then a bare name is one
 */
export function contactLeft(message: string, asked: 'name' | 'phone' | null): Contact {
  const said = contactIn(message, asked);
  const isWhole = Boolean(said.email) || (said.phone && putRight.test(message));
  const given = asked === 'phone' && !isWhole ? { ...said, ...numberIn(message, said.phone) } : said;
  if (!given.phone && !given.email && !given.name) return given;
  const contact = spelledInto(given, message) ?? given;
  const after = putRight.exec(message)?.[1];
  const phone = after && contact.phone ? correctedPhone(contact.phone, after) : null;
  return phone ? { ...contact, phone } : contact;
}

/** A number told in several parts, or with words for more than a figure: "nine hundred", "forty-two". */
function numberIn(message: string, known = ''): Pick<Contact, 'phone'> {
  const parts = message
    .split(/[.;] /)
    .filter(isPartOfContact)
    .map(
      (part) =>
        valuesIn(part, { type: 'digits', isAsked: true, today: new Date(0) }).toSorted(
          (a, b) => b.length - a.length,
        )[0] ?? '',
    );
  const number = parts.join('');
  const isMore = number.length > known.replace(/\D/g, '').length;
  return isMore && number.length >= WHOLE && number.length <= MOST ? { phone: number } : {};
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
        .map((part) => ({
          part,
          share: distance(part.toLowerCase(), word) / Math.max(part.length, word.length),
        }))
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

/** Levenshtein's distance. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, n) => n);
  for (const [i, letter] of [...one.slice(0, 40)].entries()) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++)
      next.push(
        Math.min((row[j] ?? 0) + (letter === other[j] ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
