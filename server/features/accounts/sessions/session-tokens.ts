import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits in base64url: 43 characters. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export const looksLikeToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** What is stored of a token: SHA-256 in hex. A random token needs no slow hash: there is nothing to guess. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
