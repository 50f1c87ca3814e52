/** Longer than a room's token is valid. */
const BARRED_MS = 30 * 60_000;

interface Passage {
  /** The session that admitted the participant; null once it has ended. */
  sessionId: string | null;
  until: number;
}

/** The sessions that admitted people to rooms, so that they leave with their session and cannot return with its key. */
export class SessionKeys {
  /** By room, by user. */
  readonly #passages = new Map<string, Map<string, Passage>>();

  opened(roomName: string, identity: string, sessionId: string): void {
    const ofRoom = this.#passages.get(roomName) ?? new Map<string, Passage>();
    this.#passages.set(roomName, ofRoom.set(identity, { sessionId, until: Date.now() + BARRED_MS }));
  }

  /**
   * A session has ended: its keys no longer admit.
   * @param roomsTheyAreIn now; if their admission is unknown, for example after a restart, it may have been by this
   *   session
   * @returns the rooms that they must leave
   */
  ended(sessionId: string, identity: string, roomsTheyAreIn: readonly string[]): string[] {
    for (const roomName of roomsTheyAreIn)
      if (!this.#passages.get(roomName)?.has(identity)) this.opened(roomName, identity, sessionId);
    const closed: string[] = [];
    for (const [roomName, ofRoom] of this.#passages) {
      if (ofRoom.get(identity)?.sessionId !== sessionId) continue;
      ofRoom.set(identity, { sessionId: null, until: Date.now() + BARRED_MS });
      closed.push(roomName);
    }
    return closed;
  }

  isBarred(roomName: string, identity: string): boolean {
    return this.#passages.get(roomName)?.get(identity)?.sessionId === null;
  }

  /** Forgets entries without valid keys. @param isIn whether a user is in a room now */
  sweep(isIn: (roomName: string, identity: string) => boolean): void {
    for (const [roomName, ofRoom] of this.#passages) {
      for (const [identity, { until }] of ofRoom)
        if (until < Date.now() && !isIn(roomName, identity)) ofRoom.delete(identity);
      if (ofRoom.size === 0) this.#passages.delete(roomName);
    }
  }
}
