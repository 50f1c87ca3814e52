import { channel } from 'node:diagnostics_channel';
import { type MessagePort, parentPort, type Transferable } from 'node:worker_threads';
import { showPulse } from './pulse.ts';
import {
  type FromThread,
  type HowToEnd,
  runThread,
  type ThreadLine,
  type ThreadListener,
  type ThreadOptions,
  type ToThread,
} from './watched-thread.ts';

/** A method that runs in a worker thread: structured-clonable arguments in, a structured-clonable answer out. */
// biome-ignore lint/suspicious/noConfusingVoidType: a method may answer nothing
type Method = (args: never, signal: AbortSignal) => unknown | void;
/** The method `load` prepares the thread for all others, and may take as long as loading modules. */
export type Methods = Record<string, Method>;
type Answer<M extends Method> = Awaited<ReturnType<M>>;

/** Returned by methods to transfer buffers instead of copying them. */
export class Transfer<T> {
  readonly value: T;
  readonly buffers: Transferable[];
  constructor(value: T, buffers: Transferable[]) {
    this.value = value;
    this.buffers = buffers;
  }
}

type Unwrapped<T> = T extends Transfer<infer V> ? V : T;

export interface WorkerThread<M extends Methods> {
  /** Calls a method; rejects with its error, with the signal's reason, or when the worker stops. */
  call<K extends keyof M & string>(
    method: K,
    args: Parameters<M[K]>[0],
    signal?: AbortSignal,
  ): Promise<Unwrapped<Answer<M[K]>>>;
  /**
   * Stops the thread at once, or after its modules are loaded: terminating earlier may end the whole process.
   * Calls under way reject.
   */
  terminate(): Promise<void>;
  /**
   * Stops the thread after its work has ended; calls under way reject. For threads with native work:
   * terminating that ends the whole process.
   */
  finish(): Promise<void>;
}

/**
 * Diagnostics channel that publishes `{ name, hangs }` for each thread that stops or hangs unexpectedly, so
 * that metrics need no reference to each engine.
 */
export const THREAD_STOPPED = 'sigma:thread-stopped';
const threadStopped = channel(THREAD_STOPPED);

/** Rejection of a call whose worker stopped or hangs before it answered. */
export class WorkerStopped extends Error {
  override readonly name = 'WorkerStopped';
  /** The worker was told to stop, so a retry is useless. */
  readonly wasWanted: boolean;
  constructor(
    message: string,
    { wasWanted = false, ...options }: { wasWanted?: boolean; cause?: unknown } = {},
  ) {
    super(message, options);
    this.wasWanted = wasWanted;
  }
}

/**
 * Calls, and retries once if the thread stopped by itself: for calls without side effects. Not a third time:
 * the call itself may be what stops threads.
 * @param ask finds a running thread by itself
 */
export async function askedTwice<A>(ask: () => Promise<A>): Promise<A> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof WorkerStopped) || error.wasWanted) throw error;
    return ask();
  }
}

export interface WorkerThreadOptions extends ThreadOptions {
  onEvent?: (value: unknown) => void;
  /** Called once, when the thread has stopped or hangs. */
  onExit?: (error: Error | null) => void;
}

/**
 * Starts `<name>.worker` beside the calling module as a thread of this process and calls its methods. Works
 * from TypeScript sources (dev, tests) and from the build alike.
 * @param base the caller's `import.meta.url`
 * @param name file name without extension, e.g. `./mp3.worker`
 */
export const startWorkerThread = <M extends Methods>(
  base: string,
  name: string,
  options: WorkerThreadOptions,
): WorkerThread<M> => callsOver(name, options, (listener) => runThread(base, name, options, listener));

/**
 * Calls the methods of a thread, wherever it runs.
 * @param open starts it; must report nothing before it returns
 */
export function callsOver<M extends Methods>(
  name: string,
  { onEvent, onExit }: Pick<WorkerThreadOptions, 'onEvent' | 'onExit'>,
  open: (listener: ThreadListener) => ThreadLine,
): WorkerThread<M> {
  const pending = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>();
  let nextId = 0;
  let stopped: WorkerStopped | null = null;
  let isWanted = false;
  let over = () => {};
  const exited = new Promise<void>((resolve) => {
    over = resolve;
  });

  const line = open({
    onMessage(message) {
      if (message.kind === 'serving') return;
      if (message.kind === 'event') return onEvent?.(message.value);
      const call = pending.get(message.id);
      pending.delete(message.id);
      if (message.kind === 'answer') call?.resolve(message.value);
      else call?.reject(Object.assign(new Error(message.message), { retryable: message.retryable }));
    },
    onEnd({ failure, hangs }) {
      stopped = new WorkerStopped(`The worker ${name} stopped.`, { cause: failure, wasWanted: isWanted });
      for (const call of pending.values()) call.reject(stopped);
      pending.clear();
      over();
      if (!isWanted) threadStopped.publish({ name, hangs });
      onExit?.(failure);
    },
  });

  async function end(how: HowToEnd): Promise<void> {
    if (stopped) return;
    isWanted = true;
    line.end(how);
    await exited;
  }

  return {
    call(method, args, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        if (stopped) return reject(stopped);
        const id = nextId++;
        const settle = () => signal?.removeEventListener('abort', onAbort);
        const onAbort = () => {
          pending.delete(id);
          line.post({ kind: 'abort', id });
          settle();
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        pending.set(id, {
          resolve: (value) => {
            settle();
            resolve(value as Unwrapped<Answer<M[typeof method]>>);
          },
          reject: (error) => {
            settle();
            reject(error);
          },
        });
        line.post({ kind: 'call', id, method, args });
      });
    },
    terminate: () => end('terminate'),
    finish: () => end('finish'),
  };
}

/**
 * The worker's side: answers calls with these methods. A method's signal aborts when its caller gave up.
 * @param settled resolves when no abandoned method is still running
 * @returns a function that sends an event to the parent thread
 */
export function serveWorkerThread(
  methods: Methods,
  { port = parentPort, settled }: { port?: MessagePort | null; settled?: () => Promise<unknown> } = {},
): (event: unknown) => void {
  if (!port) throw new Error('serveWorkerThread runs in a worker thread only.');
  const to = port;
  const running = new Map<number, AbortController>();
  const tasks = new Set<Promise<void>>();

  async function answer(message: Extract<ToThread, { kind: 'call' }>): Promise<void> {
    const controller = new AbortController();
    running.set(message.id, controller);
    try {
      const method = methods[message.method];
      if (!method) throw new Error(`The worker has no method ${message.method}.`);
      const value = await method(message.args as never, controller.signal);
      if (value instanceof Transfer)
        to.postMessage(
          { kind: 'answer', id: message.id, value: value.value } satisfies FromThread,
          value.buffers,
        );
      else to.postMessage({ kind: 'answer', id: message.id, value } satisfies FromThread);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      const retryable = error instanceof Error && 'retryable' in error && error.retryable === true;
      to.postMessage({ kind: 'failure', id: message.id, message: text, retryable } satisfies FromThread);
    } finally {
      running.delete(message.id);
    }
  }

  async function finish(): Promise<never> {
    for (const controller of running.values()) controller.abort(new Error('The thread is being stopped.'));
    await Promise.allSettled(tasks);
    await settled?.();
    process.exit(0);
  }

  to.on('message', (message: ToThread) => {
    if (message.kind === 'watch') return showPulse(message.pulse);
    if (message.kind === 'abort') return running.get(message.id)?.abort(new Error('The caller gave up.'));
    if (message.kind === 'finish') return void finish();
    const task = answer(message).finally(() => tasks.delete(task));
    tasks.add(task);
  });
  to.postMessage({ kind: 'serving' } satisfies FromThread);
  return (event) => to.postMessage({ kind: 'event', value: event } satisfies FromThread);
}
