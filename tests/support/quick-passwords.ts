import { createHash } from 'node:crypto';
import type { Passwords } from '#server/features/accounts/passwords';

const hashed = (password: string) => `quick$${createHash('sha256').update(password).digest('hex')}`;

/**
 * Fast password hashing for tests: argon2id intentionally takes a fiftieth of a second, and tests make
 * thousands of accounts. argon2id has tests of its own.
 */
export const quickPasswords: Passwords = {
  hash: async (password) => hashed(password),
  isOutdated: () => false,
  matches: async (password, stored) => stored === hashed(password),
};
