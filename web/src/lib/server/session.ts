const TOKEN_KEY = 'token';

/** Why the last session went: by the person's own wish, or because the server no longer knows it. */
export type SessionEnd = 'signed-out' | 'expired';

/** The stored token, and what ended the session before when there is none. */
export interface Session {
  token: string | null;
  ended: SessionEnd | null;
}

let session: Session = { token: null, ended: null };
const listeners = new Set<() => void>();
reloadSession();

function readToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY);
  } catch {
    return null;
  }
}

function writeToken(token: string | null): void {
  try {
    if (token === null) localStorage.removeItem(TOKEN_KEY);
    else localStorage.setItem(TOKEN_KEY, token);
  } catch {
    // Storage is forbidden: the session lives as long as the page.
  }
}

function change(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

// Another tab signed in, out, or in as somebody else: this one follows.
window.addEventListener('storage', (event) => {
  if (event.key !== TOKEN_KEY && event.key !== null) return;
  const token = readToken();
  if (token !== session.token) change({ token, ended: token ? null : 'signed-out' });
});

export function getSession(): Session {
  return session;
}

export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function startSession(token: string): void {
  writeToken(token);
  change({ token, ended: null });
}

/** Ends the session here; telling the server is the caller's business. */
export function endSession(ended: SessionEnd): void {
  if (session.token === null) return;
  writeToken(null);
  change({ token: null, ended });
}

/** Whether the token still stands in this browser's storage: somebody may have emptied it under the open page. */
export function isTokenStored(): boolean {
  try {
    return localStorage.getItem(TOKEN_KEY) !== null;
  } catch {
    // Where storage is forbidden the page itself holds the token.
    return session.token !== null;
  }
}

/** Goes by what the browser stored, and by nothing else, as a page does that was just opened. */
export function reloadSession(): void {
  change({ token: readToken(), ended: null });
}
