import { fromBase64 } from './base64.ts';

/** Whose text this tab keeps, and the key it is sealed with: it stands here, in memory, and nowhere else in the browser. */
export interface TabOwner {
  account: string;
  key: Uint8Array;
}

const KEPT = 'sigma.kept.';
/** What former versions kept for anybody to read. */
const UNSEALED = /^sigma\.(?:draft\.|unsent$)/;
const KEY_BYTES = 32;

let owner: TabOwner | null = null;

/** Null while nobody is known to be signed in: what is kept can neither be read nor added to then. */
export const tabOwner = (): TabOwner | null => owner;

/** Under which name the storage holds what is kept for an account. */
export const keptUnder = (account: string, name: string): string => `${KEPT}${account}.${name}`;

/**
 * From here on the tab keeps text for this account; what somebody else left in it goes.
 * @param key as base64. A server that gives none leaves the one of the page, with which nothing outlives a reload.
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

/** The session is over: what is kept stays sealed until its owner is back. */
export function leaveTab(): void {
  owner = null;
  remove((name) => UNSEALED.test(name));
}

/** Somebody signed out: nothing of them stays. */
export function emptyTab(): void {
  owner = null;
  remove(() => true);
}

function remove(isGone: (name: string) => boolean): void {
  try {
    for (const name of Object.keys(sessionStorage).filter(isGone)) sessionStorage.removeItem(name);
  } catch {
    // Storage is forbidden: nothing was kept.
  }
}
