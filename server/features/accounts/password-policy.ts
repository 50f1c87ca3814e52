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
  const refuse = (sentence: string) => invalidInput(sentence, { [field]: sentence });
  if (await isCommonPassword(password))
    throw refuse('This password is one of the most common ones. Choose another.');
  if (isMostlyKnown(password, owner))
    throw refuse(
      'This password is little more than your name, your address or your company. Choose another.',
    );
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
