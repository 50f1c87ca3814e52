import { z } from 'zod';
import type { SharedState } from '#server/engines/shared-state/contract';

const endedSchema = z.object({ sessionId: z.string(), userId: z.string() });
/** An ended session: signed out, ended from elsewhere, or expired. */
export type EndedSession = z.infer<typeof endedSchema>;

const TOPIC = 'session ended';

/** Reports every end of a session, so that what depends on it can end, too. */
export interface SessionEnds {
  announce(ended: EndedSession): void;
  /** Listeners must not throw; their work is not awaited. */
  listen(listener: (ended: EndedSession) => void): void;
}

/** Calls the listeners of this instance at once, and those of other instances through the shared state. */
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
