/** A clock that aborts its signal unless it is started again in time. */
interface Deadline {
  readonly signal: AbortSignal;
  restart(ms: number): void;
  stop(): void;
}

/**
 * @param ms until the first abort, in milliseconds
 * @param allMs total time, in milliseconds
 */
export function deadline(ms: number, allMs: number): Deadline {
  const controller = new AbortController();
  const ring = () => controller.abort(new Error('Time is up.'));
  let leftMs = allMs;
  let from = performance.now();
  const start = (next: number) => {
    from = performance.now();
    return setTimeout(ring, Math.max(0, Math.min(next, leftMs)));
  };
  let timer: NodeJS.Timeout | null = start(ms);
  const stop = () => {
    if (!timer) return;
    clearTimeout(timer);
    timer = null;
    leftMs -= performance.now() - from;
  };
  return {
    signal: controller.signal,
    restart(next) {
      stop();
      timer = start(next);
    },
    stop,
  };
}
