import { z } from 'zod';
import type { SharedState } from '#server/engines/shared-state/contract';

const endedSchema = z.object({ sessionId: z.string(), userId: z.string() });
/** A session is over: signed out, ended from elsewhere, or past its end. */
export type EndedSession = z.infer<typeof endedSchema>;

const TOPIC = 'session ended';

/** The one place from which everybody learns that a session has ended, so that what hangs on it can end, too. */
export interface SessionEnds {
  announce(ended: EndedSession): void;
  /** Listeners must not throw, and nobody waits for what they begin. */
  listen(listener: (ended: EndedSession) => void): void;
}

/** Tells the listeners of this instance at once, and those of the others through what they share. */
export function createSessionEnds(others?: Pick<SharedState, 'tell' | 'hear'>): SessionEnds {
  const listeners = new Set<(ended: EndedSession) => void>();
  const announceHere = (ended: EndedSession) => {
    for (const listener of listeners) listener(ended);
  };
  others?.hear(TOPIC, endedSchema, announceHere);
  return {
    announce(ended) {
      announceHere(ended);
      others?.tell(TOPIC, ended);
    },
    listen(listener) {
      listeners.add(listener);
    },
  };
}
