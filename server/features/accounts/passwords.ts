import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { rateLimited } from '#server/lib/errors';

/** Hashes and checks passwords with argon2id, a few at a time. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** @param stored the hash to check against; null takes as long and answers false */
  matches(password: string, stored: string | null): Promise<boolean>;
  /** Whether a hash was made with other parameters than the current ones. */
  isOutdated(stored: string): boolean;
}

/** `Algorithm` is a const enum, which cannot be read when files are compiled one by one. */
const ARGON2ID = 2 satisfies Algorithm.Argon2id;

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB of memory, two passes, one lane. */
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The start of a hash with the current parameters (PHC string format). */
const TODAY = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$`;

/** Hashing shares four threads with file and DNS access; two stay free for those. */
const AT_ONCE = 2;
/** About two seconds of work. Further requests are asked to come back. */
const MAX_WAITING = 100;
const COME_BACK_MS = 2_000;

export function createPasswords(options: { maxWaiting?: number } = {}): Passwords {
  const { maxWaiting = MAX_WAITING } = options;
  const waiting: (() => void)[] = [];
  let running = 0;
  const nobody = hash('the password of nobody', PARAMETERS);
  // The failure is thrown again at the `await`.
  nobody.catch(() => {});

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= AT_ONCE) {
      if (waiting.length >= maxWaiting) throw rateLimited(COME_BACK_MS);
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }

  return {
    hash: (password) => inTurn(() => hash(password, PARAMETERS)),
    isOutdated: (stored) => !stored.startsWith(TODAY),
    async matches(password, stored) {
      const against = stored ?? (await nobody);
      const matched = await inTurn(() => verify(against, password));
      return matched && stored !== null;
    },
  };
}
