/** Longer than a token that a room gave out opens its door by itself. */
const BARRED_MS = 30 * 60_000;

interface Passage {
  /** The session through which somebody was let in; null once it has ended. */
  sessionId: string | null;
  until: number;
}

/** Through which of their sessions people were let into rooms, so that they leave with it and do not come back with its key. */
export class SessionKeys {
  /** By room, by user. */
  readonly #passages = new Map<string, Map<string, Passage>>();

  opened(roomName: string, userId: string, sessionId: string): void {
    const ofRoom = this.#passages.get(roomName) ?? new Map<string, Passage>();
    this.#passages.set(roomName, ofRoom.set(userId, { sessionId, until: Date.now() + BARRED_MS }));
  }

  /**
   * A session has ended: its keys open no door any more.
   * @param roomsTheyAreIn now; where it is not known how they came in, as after a restart, it may have been through this one
   * @returns the rooms that they have to leave
   */
  ended(sessionId: string, userId: string, roomsTheyAreIn: readonly string[]): string[] {
    for (const roomName of roomsTheyAreIn)
      if (!this.#passages.get(roomName)?.has(userId)) this.opened(roomName, userId, sessionId);
    const closed: string[] = [];
    for (const [roomName, ofRoom] of this.#passages) {
      if (ofRoom.get(userId)?.sessionId !== sessionId) continue;
      ofRoom.set(userId, { sessionId: null, until: Date.now() + BARRED_MS });
      closed.push(roomName);
    }
    return closed;
  }

  isBarred(roomName: string, userId: string): boolean {
    return this.#passages.get(roomName)?.get(userId)?.sessionId === null;
  }

  /** Forgets what no key leads to any more. @param isIn whether somebody is in a room now */
  sweep(isIn: (roomName: string, userId: string) => boolean): void {
    for (const [roomName, ofRoom] of this.#passages) {
      for (const [userId, { until }] of ofRoom)
        if (until < Date.now() && !isIn(roomName, userId)) ofRoom.delete(userId);
      if (ofRoom.size === 0) this.#passages.delete(roomName);
    }
  }
}
