import { invalidInput } from '#server/lib/errors';
import { isCommonPassword } from './common-passwords.ts';

/** Public words of this product, which are easy to guess; docs/security.md lists the rules. */
const PRODUCT = ['sigma'];
/** Shorter words occur in too many other words. */
const MIN_WORD_CHARACTERS = 4;
/** The minimum length of a password, which must remain after removing known words about its owner. */
const MIN_CHARACTERS_LEFT = 8;

/**
 * Refuses a common password, and one that is little more than known words about its owner: name, e-mail address,
 * company (the domain of that address), product.
 * @param field the form field it was typed in
 * @throws AppError invalid-input
 */
export async function refuseWeakPassword(
  field: string,
  password: string,
  owner: { name: string; email: string },
): Promise<void> {
  if (await isCommonPassword(password)) throw invalidInput('accounts.password-common', field);
  if (isMostlyKnown(password, owner)) throw invalidInput('accounts.password-guessable', field);
}

function isMostlyKnown(password: string, { name, email }: { name: string; email: string }): boolean {
  const words = [...PRODUCT, ...wordsOf(name), ...wordsOf(email)].sort((a, b) => b.length - a.length);
  let left = password.toLowerCase();
  for (const word of words) left = left.replaceAll(word, '');
  return left.length < MIN_CHARACTERS_LEFT;
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= MIN_WORD_CHARACTERS);
