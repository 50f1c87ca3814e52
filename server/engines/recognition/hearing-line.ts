import { EngineError } from '#server/lib/engine-error';
import { untilAborted } from '#server/lib/wait';
import type { RecognitionRequest } from './contract.ts';

interface LineOptions {
  /** A partial that has waited longer, in milliseconds, is of no use any more. */
  partialPatienceMs?: number;
  /** Final requests that may wait. */
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
/** Whose turns are remembered; more are never in line at once. */
const CALLERS_KEPT = 256;

/**
 * Who may recognize next: one at a time, with all that the machine has, so that of several who end at once the first is
 * answered soonest. Final requests come before partial ones and callers take turns: next is whoever was served longest ago. A
 * partial gives way to a newer request of its caller and to every final one, also while it is at work, and is refused when it
 * has waited too long.
 */
export class HearingLine {
  readonly #patienceMs: number;
  readonly #maxWaiting: number;
  #finals: Waiting[] = [];
  #partials: Waiting[] = [];
  #isBusy = false;
  /** Ends the partial that is at work. */
  #giveWay = (_reason: EngineError) => {};
  /** Callers by when they were last served, longest ago first. */
  readonly #served = new Map<string, true>();

  constructor({ partialPatienceMs = PARTIAL_PATIENCE_MS, maxWaiting = MAX_WAITING }: LineOptions = {}) {
    this.#patienceMs = partialPatienceMs;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Waits for its turn and runs. The next one is let in when `work` has ended, also where the caller gave up before.
   * @param work ends soon after its signal: nobody waits for it any more, or others come first
   * @throws what `work` throws, the signal's reason, an EngineError for a partial that gives way and for a full line
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

  /** The first of the caller who was served longest ago; who was never served comes first. */
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
