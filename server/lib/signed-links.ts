import { createHmac, timingSafeEqual } from 'node:crypto';

export interface SignedLinks {
  /**
   * A link to this path that works without a token for 11 to 12 hours, while its bond is unchanged. It does
   * not reveal whom it was made for.
   * @param bond a value besides time that the link depends on: if it changes, the link has expired
   */
  sign(path: string, bond: string): string;
  /** @param bond the current value; null if unknown because the path's subject is gone */
  check(
    path: string,
    query: { expires?: unknown; signature?: unknown },
    bond: string | null,
  ): 'valid' | 'expired' | 'wrong';
}

const LIFETIME_MS = 12 * 60 * 60 * 1000;
/**
 * Links made within the same hour are equal, so that a page that reloads its data keeps its players' sources.
 */
const STEP_MS = 60 * 60 * 1000;
/** Length of each half of a signature: HMAC-SHA256 cut to 128 bits (RFC 2104, 5). */
const HALF_BYTES = 16;

/**
 * Signs paths with HMAC-SHA256 (RFC 2104). Instances with the same secret accept each other's links. One half
 * of a signature proves that the link is ours, the other that its bond is unchanged.
 * @param secret at least 256 bits
 */
export function createSignedLinks(secret: string, now: () => number = Date.now): SignedLinks {
  const half = (...parts: string[]) =>
    createHmac('sha256', secret).update(parts.join('\n')).digest().subarray(0, HALF_BYTES);

  return {
    sign(path, bond) {
      const expires = String((Math.floor(now() / STEP_MS) * STEP_MS + LIFETIME_MS) / 1000);
      const signature = Buffer.concat([half(path, expires), half(path, expires, bond)]);
      return `${path}?expires=${expires}&signature=${signature.toString('base64url')}`;
    },
    check(path, { expires, signature }, bond) {
      if (typeof expires !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(expires))
        return 'wrong';
      const given = Buffer.from(signature, 'base64url');
      if (given.length !== 2 * HALF_BYTES || given.toString('base64url') !== signature) return 'wrong';
      if (!timingSafeEqual(given.subarray(0, HALF_BYTES), half(path, expires))) return 'wrong';
      const isBound = bond === null || timingSafeEqual(given.subarray(HALF_BYTES), half(path, expires, bond));
      return isBound && Number(expires) * 1000 > now() ? 'valid' : 'expired';
    },
  };
}
