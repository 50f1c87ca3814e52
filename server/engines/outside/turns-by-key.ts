interface Waiter {
  begin(): void;
}

/**
 * Runs work fairly by key: a key with much work delays no other. Each key has a queue of its own, and the
 * queues are served in rotation.
 */
export class TurnsByKey {
  readonly #atOnce: number;
  readonly #perKey: number;
  readonly #running = new Map<string, number>();
  /** Ordered by whose turn is next. */
  readonly #waiting = new Map<string, Waiter[]>();
  #total = 0;

  /** @param atOnce tasks under way in total @param perKey tasks under way per key */
  constructor({ atOnce, perKey }: { atOnce: number; perKey: number }) {
    this.#atOnce = atOnce;
    this.#perKey = perKey;
  }

  /**
   * Runs a task when it is its turn. A task that has begun keeps its place until it ends, even if the signal
   * aborts.
   * @throws the task's error; the signal's reason while waiting
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
      // Move this key behind the others.
      this.#waiting.delete(key);
      if (line.length > 0) this.#waiting.set(key, line);
      if (!next) continue;
      this.#enter(key);
      next.begin();
      return;
    }
  }
}
