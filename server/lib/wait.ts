/**
 * Waits for a promise, but no longer than the signal allows; what is waited for goes on. Without a signal, simply waits.
 * @throws the signal's reason once it aborts
 */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    promise
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort))
      .catch(() => {});
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/**
 * Waits for a promise, but no longer than that; what is waited for goes on.
 * @param ms milliseconds
 * @returns undefined when the time was up first
 */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const up = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, up]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A signal that aborts by itself.
 * Node.js 20 collects the clock of `AbortSignal.timeout` as garbage where only `AbortSignal.any` holds it, and then it never
 * rings; this one is held by its timer. It keeps no process alive.
 * @param ms milliseconds
 */
export function timeLimit(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException('The time is up.', 'TimeoutError')), ms).unref();
  return controller.signal;
}
