import { AppError } from '#server/lib/errors';
import { WaitingLine } from '#server/lib/waiting-line';
import type { PlainKey } from '#shared/refusals/refusal';

/** Whoever would wait longer is told so instead: the product's own engines give up after 15 s. */
const LONGEST_WAIT_MS = 8_000;

/** Lets in whom an engine can serve soon, and tells the others when to come back. */
export class Admission {
  readonly #line: WaitingLine;
  readonly #busy: PlainKey;

  /** @param ifBusy what is told to whom it does not let in @param firstGuessMs what a unit of its work takes until one was done */
  constructor(ifBusy: PlainKey, firstGuessMs: number, now?: () => number) {
    this.#busy = ifBusy;
    this.#line = new WaitingLine(now, firstGuessMs);
  }

  /** @throws AppError (503, with the time after which it may work) when who comes now would wait too long */
  check(): void {
    const tooLongMs = this.#line.waitMs - LONGEST_WAIT_MS;
    if (tooLongMs > 0) throw busy(this.#busy, tooLongMs);
  }

  /**
   * Stands in line until it is called. A second call does nothing.
   * @param work units of it
   * @returns ends the stay; told whether the work was done
   * @throws as `check`
   */
  enter(work: number): (done: boolean) => void {
    this.check();
    const place = this.#line.join(work);
    return (done) => place.leave(done);
  }
}

/** @param retryAfterMs milliseconds after which it may work */
export const busy = (reason: PlainKey, retryAfterMs: number) =>
  new AppError('unavailable', 503, reason, { retryAfterMs });

/**
 * Whether somebody waits for the answer, by the priority of the request (RFC 9218, from u=0 to u=7, usually 3): what is less
 * urgent than usual gives way.
 */
export const isUrgent = (priority: string | string[] | undefined): boolean =>
  Number(/(?:^|[\s,])u=([0-7])(?:$|[\s,;])/.exec(String(priority ?? ''))?.[1] ?? 3) <= 3;
