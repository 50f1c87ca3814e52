const TOKEN_KEY = 'token';

/** Why the last session ended: at the person's wish, or because the server no longer knows it. */
export type SessionEnd = 'signed-out' | 'expired';

/** The stored token; without one, what ended the last session. */
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
    // Storage is blocked: the session lasts as long as the page.
  }
}

function change(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

// Another tab signed in, out, or in as another person: follow it.
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

/** Ends the session here; the caller tells the server. */
export function endSession(ended: SessionEnd): void {
  if (session.token === null) return;
  writeToken(null);
  change({ token: null, ended });
}

/** Whether the token is still in this browser's storage: it may have been cleared while the page was open. */
export function isTokenStored(): boolean {
  try {
    return localStorage.getItem(TOKEN_KEY) !== null;
  } catch {
    // If storage is blocked, the page itself holds the token.
    return session.token !== null;
  }
}

/** Uses only what the browser stored, like a newly opened page. */
export function reloadSession(): void {
  change({ token: readToken(), ended: null });
}
