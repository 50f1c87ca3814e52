import { createHmac, timingSafeEqual } from 'node:crypto';

export interface SignedLinks {
  /**
   * A link to this path that works without a token for 11 to 12 hours, and as long as its bond holds.
   * It says nothing about whom it was made for.
   * @param bond what the link depends on besides time: with another one it has expired
   */
  sign(path: string, bond: string): string;
  /** @param bond as it is now; null where it cannot be known, because what the path led to is gone */
  check(
    path: string,
    query: { expires?: unknown; signature?: unknown },
    bond: string | null,
  ): 'valid' | 'expired' | 'wrong';
}

const LIFETIME_MS = 12 * 60 * 60 * 1000;
/** Links made within the same hour are the same, so that a page that loads its data again keeps what its players hold. */
const STEP_MS = 60 * 60 * 1000;
/** Each half of a signature: HMAC-SHA256 cut to 128 bits (RFC 2104, 5). */
const HALF_BYTES = 16;

/**
 * Signs paths with HMAC-SHA256 (RFC 2104). Every instance with the same secret knows the links of the others. One half of a
 * signature says that the link is ours, the other one that its bond is still the same.
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
