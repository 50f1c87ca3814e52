import { passwordSchema } from '#shared/accounts';

let loaded: Promise<Set<string>> | undefined;

/**
 * Whether this is one of the well-known most common passwords, ignoring case. The list is zxcvbn-ts's, from published
 * leaks; of its 49,233 entries it holds the 17,950 that are long enough to be allowed. Loaded when the first account is
 * made.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  loaded ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) =>
      new Set(dictionary['passwords-common'].filter((common) => passwordSchema.safeParse(common).success)),
  );
  return (await loaded).has(password.toLowerCase());
}
