import { createHash, randomInt } from 'node:crypto';

/** Without characters that look alike: 31 characters, of which 24 carry 118 bits, too many to guess. */
const CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_CHARACTERS = 6;
const CODES = 10;

/** Ten codes, each of which replaces the second factor once. */
export const newRecoveryCodes = (): string[] => Array.from({ length: CODES }, newCode);

function newCode(): string {
  const group = () =>
    Array.from({ length: GROUP_CHARACTERS }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/**
 * The stored hash of a code, independent of how it was typed. Random codes of this length need no slow hash (OWASP ASVS
 * 5.0, 6.5.2).
 */
export const hashRecoveryCode = (userId: string, code: string): string =>
  createHash('sha256')
    .update(`${userId} ${code.toLowerCase().replaceAll(/[^a-z\d]/g, '')}`)
    .digest('hex');
