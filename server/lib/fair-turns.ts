/** A job that waits for its turn. */
export interface QueuedWork {
  /** The account that it is for. */
  account: string;
  /** Runs after all jobs that a person waits for. */
  isPatient?: boolean;
}

interface FairTurnsOptions {
  /** Jobs that run at once. */
  places: number;
  /** The same per account; fewer than `places`, so that other accounts find a free one. */
  placesPerAccount: number;
  /** The same for patient jobs; fewer than `places`, so that urgent ones find a free one. */
  patientPlaces: number;
}

interface Waiting {
  work: QueuedWork;
  begin(): void;
}

/**
 * Runs a few jobs at once and takes turns by account: next is the waiting account that has started nothing
 * for longest. No account waits for all of another's jobs.
 */
export class FairTurns {
  readonly #options: FairTurnsOptions;
  /** By account, each in order of arrival. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #running = new Set<QueuedWork>();
  /** When each account last started a job, counted in jobs since the queue was last empty. */
  readonly #begun = new Map<string, number>();
  #begins = 0;

  constructor(options: FairTurnsOptions) {
    this.#options = options;
  }

  /**
   * Waits for its turn and runs. The signal ends the waiting, not the job.
   * @param work a new object for this run
   * @throws the error of `task`; the signal's reason if it aborts before its turn
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

  /** A person now waits for it. @param work the object given to `run` */
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
