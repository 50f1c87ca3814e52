/** A piece of work that waits for its turn. */
export interface QueuedWork {
  /** Whose it is. */
  account: string;
  /** Nobody waits for it: it stands behind all that somebody waits for. */
  isPatient?: boolean;
}

interface FairTurnsOptions {
  /** Works that run at once. */
  places: number;
  /** The same of one account; fewer than `places`, so that others find one free. */
  placesPerAccount: number;
  /** The same of patient work; fewer than `places`, so that whoever waits finds one free. */
  patientPlaces: number;
}

interface Waiting {
  work: QueuedWork;
  begin(): void;
}

/**
 * Lets a few works run at once and gives turns by account: of those that wait, the account is next that has begun nothing for
 * longest. Nobody waits for all that somebody else has asked for.
 */
export class FairTurns {
  readonly #options: FairTurnsOptions;
  /** By account, each in the order it came. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #running = new Set<QueuedWork>();
  /** When each account last began one, counted in works; of those since there last was nothing to do. */
  readonly #begun = new Map<string, number>();
  #begins = 0;

  constructor(options: FairTurnsOptions) {
    this.#options = options;
  }

  /**
   * Waits for its turn and runs. The signal ends the waiting, not the work.
   * @param work an object for this one run
   * @throws what `task` throws; the signal's reason when it aborts before the turn has come
   */
  async run<T>(work: QueuedWork, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#turn(work, signal);
    try {
      return await task();
    } finally {
      this.#running.delete(work);
      this.#startWhatMay();
      if (this.#running.size === 0) this.#begun.clear();
    }
  }

  /** Somebody waits for it now. @param work as `run` was given it */
  hurry(work: QueuedWork): void {
    work.isPatient = false;
    this.#startWhatMay();
  }

  #turn(work: QueuedWork, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const leave = () => {
        this.#remove(entry);
        reject(signal?.reason);
      };
      const entry: Waiting = {
        work,
        begin: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      const theirs = this.#waiting.get(work.account);
      if (theirs) theirs.push(entry);
      else this.#waiting.set(work.account, [entry]);
      this.#startWhatMay();
    });
  }

  #startWhatMay(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      this.#remove(next);
      this.#begun.set(next.work.account, ++this.#begins);
      this.#running.add(next.work);
      next.begin();
    }
  }

  #next(): Waiting | undefined {
    const { places, patientPlaces } = this.#options;
    if (this.#running.size >= places) return undefined;
    const mayBePatient = this.#countRunning(isPatient) < patientPlaces;
    return this.#first((work) => !isPatient(work)) ?? (mayBePatient ? this.#first(isPatient) : undefined);
  }

  #first(isWanted: (work: QueuedWork) => boolean): Waiting | undefined {
    let first: Waiting | undefined;
    let begun = Number.POSITIVE_INFINITY;
    for (const [account, theirs] of this.#waiting) {
      const last = this.#begun.get(account) ?? 0;
      const running = this.#countRunning((work) => work.account === account);
      if (last >= begun || running >= this.#options.placesPerAccount) continue;
      const next = theirs.find(({ work }) => isWanted(work));
      if (!next) continue;
      first = next;
      begun = last;
    }
    return first;
  }

  #countRunning(isCounted: (work: QueuedWork) => boolean): number {
    let count = 0;
    for (const work of this.#running) if (isCounted(work)) count++;
    return count;
  }

  #remove(entry: Waiting): void {
    const { account } = entry.work;
    const left = this.#waiting.get(account)?.filter((other) => other !== entry) ?? [];
    if (left.length > 0) this.#waiting.set(account, left);
    else this.#waiting.delete(account);
  }
}

const isPatient = (work: QueuedWork) => work.isPatient ?? false;
