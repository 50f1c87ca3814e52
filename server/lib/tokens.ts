import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits in base64url: 43 characters. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export const looksLikeToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** The stored form of a token, key or link: SHA-256 in hex. A random one cannot be guessed, so it needs no slow hash. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
