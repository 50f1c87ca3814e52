import { fromBase64 } from './base64.ts';

/** The account whose text this tab stores, and its sealing key, which is kept only here in memory. */
export interface TabOwner {
  account: string;
  key: Uint8Array;
}

const KEPT = 'sigma.kept.';
/** Names that former versions stored unsealed. */
const UNSEALED = /^sigma\.(?:draft\.|unsent$)/;
const KEY_BYTES = 32;

let owner: TabOwner | null = null;

/** Null while nobody is known to be signed in: stored text can then neither be read nor changed. */
export const tabOwner = (): TabOwner | null => owner;

/** The storage name for an account's text. */
export const keptUnder = (account: string, name: string): string => `${KEPT}${account}.${name}`;

/**
 * From now on the tab stores text for this account; another account's text is deleted.
 * @param key as base64. Without a key from the server the page's own is used, whose text does not survive a
 * reload.
 */
export function ownTab(account: string, key: string | undefined): void {
  const known = owner?.account === account ? owner.key : null;
  owner = {
    account,
    key: key ? fromBase64(key) : (known ?? crypto.getRandomValues(new Uint8Array(KEY_BYTES))),
  };
  const own = keptUnder(account, '');
  remove((name) => UNSEALED.test(name) || (name.startsWith(KEPT) && !name.startsWith(own)));
}

/** The session is over: stored text stays sealed until its owner is back. */
export function leaveTab(): void {
  owner = null;
  remove((name) => UNSEALED.test(name));
}

/** The person signed out: deletes their text. */
export function emptyTab(): void {
  owner = null;
  remove(() => true);
}

function remove(isGone: (name: string) => boolean): void {
  try {
    for (const name of Object.keys(sessionStorage).filter(isGone)) sessionStorage.removeItem(name);
  } catch {
    // Storage is blocked: nothing was stored.
  }
}
