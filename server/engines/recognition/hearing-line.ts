import { EngineError } from '#server/lib/engine-error';
import { untilAborted } from '#server/lib/wait';
import type { RecognitionRequest } from './contract.ts';

interface LineOptions {
  /** A partial that has waited longer than this (ms) is useless. */
  partialPatienceMs?: number;
  /** Most final requests that may wait. */
  maxWaiting?: number;
}

export interface Place {
  urgency: RecognitionRequest['urgency'];
  caller: string;
  signal: AbortSignal;
}

interface Waiting extends Place {
  enter: () => void;
  refuse: (error: unknown) => void;
}

const behind = () => new EngineError('The ears are behind.', { retryable: true });

const PARTIAL_PATIENCE_MS = 600;
const MAX_WAITING = 64;
/** Callers whose last turn is remembered; more are never queued at once. */
const CALLERS_KEPT = 256;

/**
 * Schedules recognition. One request runs at a time with all processors, so that of several that arrive
 * together the first gets its answer soonest. Final requests go before partials, and callers take turns: next
 * is the caller who was served longest ago. A partial yields to a newer request of its caller and to every
 * final request, even while it runs, and is rejected when it has waited too long.
 */
export class HearingLine {
  readonly #patienceMs: number;
  readonly #maxWaiting: number;
  #finals: Waiting[] = [];
  #partials: Waiting[] = [];
  #isBusy = false;
  #giveWay = (_reason: EngineError) => {};
  /** Callers in the order in which they were last served, oldest first. */
  readonly #served = new Map<string, true>();

  constructor({ partialPatienceMs = PARTIAL_PATIENCE_MS, maxWaiting = MAX_WAITING }: LineOptions = {}) {
    this.#patienceMs = partialPatienceMs;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Waits for its turn and runs. The next request starts only when `work` has ended, even if the caller gave
   * up before.
   * @param work must end soon after its signal aborts
   * @throws the error of `work`; the signal's reason; EngineError for a partial that yields and for a full
   * queue
   */
  async run<T>(place: Place, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    place.signal.throwIfAborted();
    await this.#enter(place);
    const way = new AbortController();
    if (place.urgency === 'partial') this.#giveWay = (reason) => way.abort(reason);
    const signal = AbortSignal.any([place.signal, way.signal]);
    const done = work(signal);
    const leave = () => {
      this.#isBusy = false;
      this.#giveWay = () => {};
      this.#letIn();
    };
    done.then(leave, leave);
    return untilAborted(done, signal);
  }

  #enter(place: Place): Promise<void> {
    return new Promise((resolve, reject) => {
      const { urgency, caller, signal } = place;
      for (const older of this.#partials.filter((other) => other.caller === caller))
        older.refuse(new EngineError('Newer speech has come.', { retryable: true }));
      if (urgency === 'final' && this.#finals.length >= this.#maxWaiting)
        return reject(
          new EngineError('The ears are busy with too many calls; try again in a moment.', {
            retryable: true,
          }),
        );
      let patience: NodeJS.Timeout | null = null;
      const settle = () => {
        if (patience) clearTimeout(patience);
        signal.removeEventListener('abort', onAbort);
        this.#finals = this.#finals.filter((other) => other !== entry);
        this.#partials = this.#partials.filter((other) => other !== entry);
      };
      const entry: Waiting = {
        ...place,
        enter: () => {
          settle();
          resolve();
        },
        refuse: (error) => {
          settle();
          reject(error);
        },
      };
      const onAbort = () => entry.refuse(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      (urgency === 'final' ? this.#finals : this.#partials).push(entry);
      if (urgency === 'final') this.#giveWay(behind());
      this.#letIn();
      if (urgency === 'partial' && this.#partials.includes(entry))
        patience = setTimeout(() => entry.refuse(behind()), this.#patienceMs);
    });
  }

  #letIn(): void {
    if (this.#isBusy) return;
    const next = this.#next(this.#finals) ?? this.#next(this.#partials);
    if (!next) return;
    this.#isBusy = true;
    this.#served.delete(next.caller);
    this.#served.set(next.caller, true);
    this.#forgetLongAgo();
    next.enter();
  }

  /** The first request of the caller who was served longest ago or never. */
  #next(line: readonly Waiting[]): Waiting | null {
    const [first] = line;
    if (!first) return null;
    const firstOf = new Map<string, Waiting>();
    for (const entry of line) if (!firstOf.has(entry.caller)) firstOf.set(entry.caller, entry);
    for (const entry of firstOf.values()) if (!this.#served.has(entry.caller)) return entry;
    for (const caller of this.#served.keys()) {
      const entry = firstOf.get(caller);
      if (entry) return entry;
    }
    return first;
  }

  #forgetLongAgo(): void {
    for (const caller of this.#served.keys()) {
      if (this.#served.size <= CALLERS_KEPT) return;
      this.#served.delete(caller);
    }
  }
}
