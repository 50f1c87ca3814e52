import { gcm } from '@noble/ciphers/aes.js';
import { managedNonce } from '@noble/ciphers/utils.js';
import { fromBase64, toBase64 } from './base64.ts';
import { keptUnder, type TabOwner, tabOwner } from './tab-owner.ts';

/*
 * The only way in which people's text enters the browser's storage. It is sealed with AES-256-GCM and a
 * random nonce, bound to its name, under a key that the server gives to a signed-in session. Web Crypto would
 * do the same, but it is asynchronous, and missing on addresses without TLS in a company's network.
 */

/**
 * Stores a text of the signed-in person in this tab; null deletes it. Does nothing if nobody is signed in.
 */
export function keepSealed(name: string, text: string | null): void {
  const owner = tabOwner();
  if (!owner) return;
  const place = keptUnder(owner.account, name);
  try {
    if (text === null) sessionStorage.removeItem(place);
    else
      sessionStorage.setItem(place, toBase64(sealOf(owner, place).encrypt(new TextEncoder().encode(text))));
  } catch {
    // Storage is blocked or full: the text lasts as long as the page.
  }
}

/** The signed-in person's text under this name; null if there is none or nobody is signed in. */
export function readSealed(name: string): string | null {
  const owner = tabOwner();
  if (!owner) return null;
  const place = keptUnder(owner.account, name);
  try {
    const sealed = sessionStorage.getItem(place);
    return sealed === null
      ? null
      : new TextDecoder().decode(sealOf(owner, place).decrypt(fromBase64(sealed)));
  } catch {
    // It can no longer be opened: it was changed, or the server has a new secret.
    keepSealed(name, null);
    return null;
  }
}

const sealOf = ({ key }: TabOwner, place: string) => managedNonce(gcm)(key, new TextEncoder().encode(place));
