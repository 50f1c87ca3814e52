import { createHash } from 'node:crypto';
import type { Passwords } from '#server/features/accounts/passwords';

const hashed = (password: string) => `quick$${createHash('sha256').update(password).digest('hex')}`;

/**
 * Passwords as tests keep them: argon2id takes a fiftieth of a second by intent, and tests make thousands of accounts.
 * What argon2id does is tested with it.
 */
export const quickPasswords: Passwords = {
  hash: async (password) => hashed(password),
  isOutdated: () => false,
  matches: async (password, stored) => stored === hashed(password),
};
