import { invalidInput } from '#server/lib/errors';
import { isCommonPassword } from './common-passwords.ts';

/** What everybody can look up or guess about this product; docs/security.md lists the rules. */
const PRODUCT = ['sigma'];
/** Shorter words stand in too many others. */
const MIN_WORD_CHARACTERS = 4;
/** As long as a password has to be: so much must be left of it without what is known of its owner. */
const MIN_CHARACTERS_LEFT = 8;

/**
 * Refuses a password that many others have, or that is little more than what is known of its owner: their name, their
 * e-mail address, their company (the domain of that address), the product.
 * @param field where it was typed
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
