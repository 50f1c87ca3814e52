/** A clock that aborts its signal unless it is started again in time. */
interface Deadline {
  readonly signal: AbortSignal;
  restart(ms: number): void;
  stop(): void;
}

/** @param ms until it aborts for the first time */
export function deadline(ms: number): Deadline {
  const controller = new AbortController();
  const ring = () => controller.abort(new Error('Time is up.'));
  let timer = setTimeout(ring, ms);
  return {
    signal: controller.signal,
    restart(next) {
      clearTimeout(timer);
      timer = setTimeout(ring, next);
    },
    stop: () => clearTimeout(timer),
  };
}
