import { createHash, randomInt } from 'node:crypto';

/** Nothing that reads like something else: 31 characters, of which 24 are worth 118 bits, too many to guess. */
const CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_CHARACTERS = 6;
const CODES = 10;

/** Ten codes that each stand in for the second factor once. */
export const newRecoveryCodes = (): string[] => Array.from({ length: CODES }, newCode);

function newCode(): string {
  const group = () =>
    Array.from({ length: GROUP_CHARACTERS }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** What is stored of a code, however it was typed. So many random bits need no slow hash (OWASP ASVS 5.0, 6.5.2). */
export const hashRecoveryCode = (userId: string, code: string): string =>
  createHash('sha256')
    .update(`${userId} ${code.toLowerCase().replaceAll(/[^a-z\d]/g, '')}`)
    .digest('hex');
