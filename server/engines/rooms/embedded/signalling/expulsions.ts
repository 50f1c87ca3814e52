/** Tokens open doors for ten minutes, and so do those that replace them during a call. */
const REMEMBERED_MS = 60 * 60_000;
const MAX_REMEMBERED = 10_000;

/** Who was put out of which room, and when: for as long as they may hold a token from before. */
export class Expulsions {
  /** In the order in which they were noted. */
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

  /** @param issuedAt in whole seconds: a token of the very second counts as one from before */
  isAfter(room: string, identity: string, issuedAt: number): boolean {
    const at = this.#times.get(keyOf(room, identity));
    return at !== undefined && issuedAt <= Math.floor(at / 1000);
  }
}

const keyOf = (room: string, identity: string) => JSON.stringify([room, identity]);
