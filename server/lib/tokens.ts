import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits in base64url: 43 characters. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export const looksLikeToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** The stored hash of a token: SHA-256 in hex. A random token cannot be guessed, so it needs no slow hash. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
