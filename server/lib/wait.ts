/**
 * Waits for a promise until the signal aborts; the awaited work continues. Without a signal, simply waits.
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
 * Waits for a promise, at most this long; the awaited work continues.
 * @param ms milliseconds
 * @returns undefined when the time is up first
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
 * A signal that aborts after a time. Node.js 20 garbage-collects the timer of `AbortSignal.timeout` when only
 * `AbortSignal.any` holds it, and then it never fires; this one is held by its timer. Keeps no process alive.
 * @param ms milliseconds
 */
export function timeLimit(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException('The time is up.', 'TimeoutError')), ms).unref();
  return controller.signal;
}
