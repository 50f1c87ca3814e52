import type { SynthesisRequest } from './contract.ts';

/** After this many urgent jobs in a row, one other job runs. */
const FIRSTS_IN_A_ROW = 3;

/** A place in the queue. Its urgency may change while it waits. */
export interface Place {
  urgency: SynthesisRequest['urgency'];
  signal: AbortSignal;
}

interface Waiting {
  place: Place;
  enter: () => void;
}

/** Runs one job at a time: urgent ones first, in order of arrival among equals, without starvation. */
export class UrgencyQueue {
  /** In order of arrival. */
  #waiting: Waiting[] = [];
  #firstsInARow = 0;
  #busy = false;

  /**
   * Waits for its turn, runs, and lets the next one in.
   * @throws the error of `work`; the signal's reason if it aborts while waiting
   */
  async run<T>(place: Place, work: () => Promise<T>): Promise<T> {
    place.signal.throwIfAborted();
    if (this.#busy) await this.#wait(place);
    this.#busy = true;
    this.#firstsInARow = place.urgency === 'first' ? this.#firstsInARow + 1 : 0;
    try {
      return await work();
    } finally {
      this.#letNextIn();
    }
  }

  #wait(place: Place): Promise<void> {
    return new Promise((resolve, reject) => {
      const { signal } = place;
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== entry);
        reject(signal.reason);
      };
      const entry: Waiting = {
        place,
        enter: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(entry);
    });
  }

  #letNextIn(): void {
    const next = this.#next();
    this.#waiting = this.#waiting.filter((other) => other !== next);
    if (next) next.enter();
    else this.#busy = false;
  }

  #next(): Waiting | undefined {
    const first = this.#waiting.find(({ place }) => place.urgency === 'first');
    const later = this.#waiting.find(({ place }) => place.urgency === 'later');
    return first && (!later || this.#firstsInARow < FIRSTS_IN_A_ROW) ? first : later;
  }
}
