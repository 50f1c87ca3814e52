import { createHmac, timingSafeEqual } from 'node:crypto';

export interface SignedLinks {
  /** A link to this path that works without a token for 11 to 12 hours. It says nothing about whom it was made for. */
  sign(path: string): string;
  check(path: string, query: { expires?: unknown; signature?: unknown }): 'valid' | 'expired' | 'wrong';
}

const LIFETIME_MS = 12 * 60 * 60 * 1000;
/** Links made within the same hour are the same, so that a page that loads its data again keeps what its players hold. */
const STEP_MS = 60 * 60 * 1000;

/**
 * Signs paths with HMAC-SHA256 (RFC 2104). Every instance with the same secret knows the links of the others.
 * @param secret at least 256 bits
 */
export function createSignedLinks(secret: string, now: () => number = Date.now): SignedLinks {
  const signatureOf = (path: string, expires: string) =>
    createHmac('sha256', secret).update(`${path}\n${expires}`).digest('base64url');

  return {
    sign(path) {
      const expires = String((Math.floor(now() / STEP_MS) * STEP_MS + LIFETIME_MS) / 1000);
      return `${path}?expires=${expires}&signature=${signatureOf(path, expires)}`;
    },
    check(path, { expires, signature }) {
      if (typeof expires !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(expires))
        return 'wrong';
      const expected = Buffer.from(signatureOf(path, expires));
      const given = Buffer.from(signature);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'wrong';
      return Number(expires) * 1000 > now() ? 'valid' : 'expired';
    },
  };
}
