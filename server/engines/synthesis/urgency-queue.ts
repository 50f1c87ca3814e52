import type { SynthesisRequest } from './contract.ts';

type Urgency = SynthesisRequest['urgency'];

/** After so many urgent turns in a row one that waits without urgency is let in. */
const FIRSTS_IN_A_ROW = 3;

interface Waiting {
  enter: () => void;
}

/**
 * Lets one in at a time: urgent ones before others, first come first served among equals, nobody kept out for ever.
 */
export class UrgencyQueue {
  #waiting: Record<Urgency, Waiting[]> = { first: [], later: [] };
  #firstsInARow = 0;
  #busy = false;

  /**
   * Waits for its turn, runs and lets the next one in.
   * @throws what `work` throws; the signal's reason when it aborts while waiting
   */
  async run<T>(urgency: Urgency, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#busy) await this.#wait(urgency, signal);
    else this.#count(urgency);
    this.#busy = true;
    try {
      return await work();
    } finally {
      this.#letNextIn();
    }
  }

  #wait(urgency: Urgency, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = this.#waiting[urgency];
      const entry: Waiting = {
        enter: () => {
          signal.removeEventListener('abort', leave);
          this.#count(urgency);
          resolve();
        },
      };
      const leave = () => {
        line.splice(line.indexOf(entry), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      line.push(entry);
    });
  }

  #count(urgency: Urgency): void {
    this.#firstsInARow = urgency === 'first' ? this.#firstsInARow + 1 : 0;
  }

  #letNextIn(): void {
    const { first, later } = this.#waiting;
    const fair = later.length > 0 && (first.length === 0 || this.#firstsInARow >= FIRSTS_IN_A_ROW);
    const next = fair ? later.shift() : first.shift();
    if (next) next.enter();
    else this.#busy = false;
  }
}
