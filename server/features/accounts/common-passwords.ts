import { passwordSchema } from '#shared/accounts';

let loaded: Promise<Set<string>> | undefined;

/**
 * Whether this is one of the well-known most common passwords, in whatever case it is written.
 * The list is the one that zxcvbn-ts keeps from published leaks; of its 49,233 entries the 17,950 that are long
 * enough to be chosen at all are held. Read when the first account is made.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  loaded ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) =>
      new Set(dictionary['passwords-common'].filter((common) => passwordSchema.safeParse(common).success)),
  );
  return (await loaded).has(password.toLowerCase());
}
