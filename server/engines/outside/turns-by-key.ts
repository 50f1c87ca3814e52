interface Waiter {
  begin(): void;
}

/**
 * Work that takes turns by whom it is for: whoever has much of it makes nobody else wait. Each key has its own line, and the
 * lines are served one after the other.
 */
export class TurnsByKey {
  readonly #atOnce: number;
  readonly #perKey: number;
  readonly #running = new Map<string, number>();
  /** The key that is served next comes first. */
  readonly #waiting = new Map<string, Waiter[]>();
  #total = 0;

  /** @param atOnce pieces of work under way, of all keys @param perKey of one key */
  constructor({ atOnce, perKey }: { atOnce: number; perKey: number }) {
    this.#atOnce = atOnce;
    this.#perKey = perKey;
  }

  /**
   * Does a piece of work when it is its turn. Work that has begun keeps its place until it has ended, whatever the signal says.
   * @throws what the work throws; the signal's reason while it waits
   */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#turnOf(key, signal);
    try {
      return await work();
    } finally {
      this.#leave(key);
    }
  }

  #turnOf(key: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#mayBegin(key)) {
      this.#enter(key);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const line = this.#waiting.get(key) ?? [];
      this.#waiting.set(key, line);
      const giveUp = () => {
        line.splice(line.indexOf(waiter), 1);
        if (line.length === 0 && this.#waiting.get(key) === line) this.#waiting.delete(key);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        begin: () => {
          signal?.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      line.push(waiter);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  #mayBegin = (key: string) => this.#total < this.#atOnce && (this.#running.get(key) ?? 0) < this.#perKey;

  #enter(key: string): void {
    this.#total++;
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
  }

  #leave(key: string): void {
    this.#total--;
    const left = (this.#running.get(key) ?? 1) - 1;
    if (left > 0) this.#running.set(key, left);
    else this.#running.delete(key);
    this.#beginNext();
  }

  #beginNext(): void {
    for (const [key, line] of this.#waiting) {
      if (!this.#mayBegin(key)) continue;
      const next = line.shift();
      // The others have their turn before this key has its next.
      this.#waiting.delete(key);
      if (line.length > 0) this.#waiting.set(key, line);
      if (!next) continue;
      this.#enter(key);
      next.begin();
      return;
    }
  }
}
