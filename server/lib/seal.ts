import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts secrets that must be read again: useless to others who store or carry them. */
export interface Seal {
  /** @param purpose use and owner: the result can be opened only for the same purpose */
  close(content: string, purpose: string): string;
  /** The content sealed for this purpose; null for anything else. */
  open(sealed: string, purpose: string): string | null;
  /**
   * A key that another party can seal with, 256 bits as base64: constant for a purpose, useless for others.
   */
  keyFor(purpose: string): string;
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals with AES-256-GCM (NIST SP 800-38D) under a key derived from the server's secret by HKDF (RFC 5869),
 * with a random initialization vector each: safe for far more messages than a server ever seals.
 * @param secret at least 256 bits
 */
export function createSeal(secret: string): Seal {
  const derive = (info: string) => Buffer.from(hkdfSync('sha256', secret, '', info, KEY_BYTES));
  const key = derive('sigma seal 1');
  return {
    close(content, purpose) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([cipher.update(content, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < IV_BYTES + TAG_BYTES) return null;
      const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(tag);
      try {
        const content = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
        return Buffer.concat([content, decipher.final()]).toString();
      } catch {
        return null;
      }
    },
    keyFor: (purpose) => derive(`sigma key 1 ${purpose}`).toString('base64'),
  };
}
