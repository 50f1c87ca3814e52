/** Longer than a token can be used to enter, including tokens renewed during a call (ten minutes each). */
const REMEMBERED_MS = 60 * 60_000;
const MAX_REMEMBERED = 10_000;

/** Remembers who was removed from which room and when, as long as they may hold an older token. */
export class Expulsions {
  /** In order of time. */
  readonly #times = new Map<string, number>();

  note(room: string, identity: string): void {
    const key = keyOf(room, identity);
    this.#times.delete(key);
    this.#times.set(key, Date.now());
    for (const [oldest, at] of this.#times) {
      if (this.#times.size <= MAX_REMEMBERED && at > Date.now() - REMEMBERED_MS) break;
      this.#times.delete(oldest);
    }
  }

  /** @param issuedAt in whole seconds: a token of the same second counts as older */
  isAfter(room: string, identity: string, issuedAt: number): boolean {
    const at = this.#times.get(keyOf(room, identity));
    return at !== undefined && issuedAt <= Math.floor(at / 1000);
  }
}

const keyOf = (room: string, identity: string) => JSON.stringify([room, identity]);
