import { gcm } from '@noble/ciphers/aes.js';
import { managedNonce } from '@noble/ciphers/utils.js';
import { fromBase64, toBase64 } from './base64.ts';
import { keptUnder, type TabOwner, tabOwner } from './tab-owner.ts';

/*
 * The one way for what people write into the browser's storage. It is sealed with AES-256-GCM and a random nonce, bound
 * to its place, under a key that the server gives to a signed-in session. Web Crypto would do the same, but it makes
 * callers wait, and is missing on addresses without TLS in a company's own network.
 */

/** Keeps a text of the signed-in person in this tab; null forgets it. Without anybody signed in nothing happens. */
export function keepSealed(name: string, text: string | null): void {
  const owner = tabOwner();
  if (!owner) return;
  const place = keptUnder(owner.account, name);
  try {
    if (text === null) sessionStorage.removeItem(place);
    else
      sessionStorage.setItem(place, toBase64(sealOf(owner, place).encrypt(new TextEncoder().encode(text))));
  } catch {
    // Storage is forbidden or full: what was written lives as long as the page.
  }
}

/** What the signed-in person keeps under this name; null when there is nothing, or nobody is signed in. */
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
    // Nobody can read it any more: it was changed, or the server has another secret by now.
    keepSealed(name, null);
    return null;
  }
}

const sealOf = ({ key }: TabOwner, place: string) => managedNonce(gcm)(key, new TextEncoder().encode(place));
