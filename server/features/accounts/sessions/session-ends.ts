/** A session is over: signed out, ended from elsewhere, or past its end. */
export interface EndedSession {
  sessionId: string;
  userId: string;
}

/** The one place from which everybody learns that a session has ended, so that what hangs on it can end, too. */
export interface SessionEnds {
  announce(ended: EndedSession): void;
  /** Listeners must not throw, and nobody waits for what they begin. */
  listen(listener: (ended: EndedSession) => void): void;
}

/** Tells the listeners in this process. With several servers another one takes its place, over what they share. */
export function createSessionEnds(): SessionEnds {
  const listeners = new Set<(ended: EndedSession) => void>();
  return {
    announce(ended) {
      for (const listener of listeners) listener(ended);
    },
    listen(listener) {
      listeners.add(listener);
    },
  };
}
