import { channel } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type MessagePort, parentPort, type Transferable, Worker } from 'node:worker_threads';
import { HangWatch } from './hang-watch.ts';
import { Pulse, showPulse } from './pulse.ts';
import { within } from './wait.ts';

/** A method that runs in a worker thread: structured-clonable arguments in, a structured-clonable answer out. */
// biome-ignore lint/suspicious/noConfusingVoidType: a method may answer nothing
type Method = (args: never, signal: AbortSignal) => unknown | void;
/** A method `load` makes the thread ready for all others, and may take as long as reading its modules. */
type Methods = Record<string, Method>;
type Answer<M extends Method> = Awaited<ReturnType<M>>;

type ToWorker =
  | { kind: 'watch'; pulse: SharedArrayBuffer }
  | { kind: 'call'; id: number; method: string; args: unknown }
  | { kind: 'abort'; id: number }
  | { kind: 'finish' };
type FromWorker =
  | { kind: 'serving' }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'failure'; id: number; message: string; retryable: boolean }
  | { kind: 'event'; value: unknown };

/** Methods answer this to move buffers instead of copying them. */
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
   * Stops the thread at once, or once it has read its modules: Node.js may end the whole process when that is cut off.
   * Calls under way reject.
   */
  terminate(): Promise<void>;
  /**
   * Stops the thread once what runs in it has come to an end; calls under way reject.
   * For threads with native work of their own: cutting that off ends the whole process.
   */
  finish(): Promise<void>;
}

/** Every thread has a heap of its own; left to itself each keeps up to 48 MB for what lives a moment. */
const YOUNG_GENERATION_MB = 6;

/** Reading a thread's modules, or cutting it off, takes a tenth of that. */
const SOON_MS = 3_000;
/** While a thread reads its modules or loads, from a slow disk perhaps, it may show no life for so long. */
const START_HANG_MS = 60_000;

/**
 * The diagnostics channel on which `{ name, hangs }` is told of each thread that stops or hangs without having been asked
 * to: whoever counts them need not be known to every engine.
 */
export const THREAD_STOPPED = 'sigma:thread-stopped';
const threadStopped = channel(THREAD_STOPPED);

/** Thrown for a call whose worker stopped, or hangs, before it answered. */
export class WorkerStopped extends Error {
  override readonly name = 'WorkerStopped';
  /** It was told to stop, so that asking again is no use. */
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
 * Asks, and once more when the thread stopped by itself: for questions that change nothing. Not a third time: what stops
 * two threads may be the question.
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

export interface WorkerThreadOptions {
  /**
   * A thread that shows no life for so many milliseconds hangs (it is noticed within half of it more): it is told as
   * stopped, and cut off unless it is in native code. null: its owner watches it.
   */
  hangMs: number | null;
  /** The same while it reads its modules or loads. Default 60 s. */
  startHangMs?: number;
  /** The thread has native threads of its own, which must find it there: when it hangs, it is left behind. */
  isNeverCutOff?: boolean;
  /** Megabytes its objects may fill; one that needs more stops with an error. Default: what Node.js allows. */
  heapMb?: number;
  workerData?: unknown;
  /** The thread's environment instead of a copy of the process's. */
  env?: Record<string, string>;
  onEvent?: (value: unknown) => void;
  /** Told once, when the thread has stopped or hangs. */
  onExit?: (error: Error | null) => void;
}

/**
 * Starts `<name>.worker` beside the calling module as a thread and calls its methods.
 * Works from TypeScript sources (dev, tests) and from the build alike.
 * @param base the caller's `import.meta.url`
 * @param name file name without extension, e.g. `./piper.worker`
 */
export function startWorkerThread<M extends Methods>(
  base: string,
  name: string,
  options: WorkerThreadOptions,
): WorkerThread<M> {
  const { hangMs, startHangMs = START_HANG_MS, isNeverCutOff = false } = options;
  const fromSource = base.endsWith('.ts');
  const url = new URL(`${name}${fromSource ? '.ts' : '.js'}`, base);
  const worker = new Worker(fromSource ? throughTypeScript(url) : url, {
    workerData: options.workerData,
    ...(options.env ? { env: options.env } : {}),
    resourceLimits: {
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      ...(options.heapMb ? { maxOldGenerationSizeMb: options.heapMb } : {}),
    },
    execArgv: fromSource ? ['--conditions=sigma-source'] : [],
  });
  const pending = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>();
  let nextId = 0;
  let failure: Error | null = null;
  let stopped: WorkerStopped | null = null;
  let isWanted = false;
  let isServing = false;
  let hangs = false;
  let loads = 0;

  let over = () => {};
  const exited = new Promise<void>((resolve) => {
    over = resolve;
  });
  let serves = () => {};
  const serving = new Promise<void>((resolve) => {
    serves = resolve;
  });

  const pulse = new Pulse();
  const watch = new HangWatch(pulse, () => void giveUp());
  const watchOn = () => {
    if (hangMs !== null && !stopped) watch.allow(isServing && loads === 0 ? hangMs : startHangMs);
  };
  if (hangMs !== null) worker.postMessage({ kind: 'watch', pulse: pulse.shared } satisfies ToWorker);
  watchOn();

  /** A thread that hangs in native code is left behind, and ends by itself if it ever comes back. */
  async function giveUp(): Promise<void> {
    hangs = true;
    failure = new Error(`The worker ${name} hangs.`);
    const isLeft = isNeverCutOff || !isServing || pulse.oldestRun !== 0;
    if (isLeft) worker.unref();
    if (isLeft) worker.postMessage({ kind: 'finish' } satisfies ToWorker);
    else await within(SOON_MS, worker.terminate());
    stop();
  }

  /** The thread is gone for whoever uses it. */
  function stop(): void {
    if (stopped) return;
    watch.stop();
    stopped = new WorkerStopped(`The worker ${name} stopped.`, { cause: failure, wasWanted: isWanted });
    for (const call of pending.values()) call.reject(stopped);
    pending.clear();
    over();
    if (!isWanted) threadStopped.publish({ name, hangs });
    options.onExit?.(failure);
  }

  worker.on('message', (message: FromWorker) => {
    if (stopped) return;
    if (message.kind === 'serving') {
      isServing = true;
      watchOn();
      return serves();
    }
    if (message.kind === 'event') return options.onEvent?.(message.value);
    const call = pending.get(message.id);
    pending.delete(message.id);
    if (message.kind === 'answer') call?.resolve(message.value);
    else call?.reject(Object.assign(new Error(message.message), { retryable: message.retryable }));
  });
  worker.on('error', (error: Error) => {
    failure = error;
  });
  worker.on('exit', stop);

  return {
    call(method, args, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        if (stopped) return reject(stopped);
        const id = nextId++;
        const isLoad = method === 'load';
        const settle = () => {
          signal?.removeEventListener('abort', onAbort);
          if (!isLoad) return;
          loads--;
          watchOn();
        };
        const onAbort = () => {
          pending.delete(id);
          worker.postMessage({ kind: 'abort', id } satisfies ToWorker);
          settle();
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        if (isLoad) {
          loads++;
          watchOn();
        }
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
        worker.postMessage({ kind: 'call', id, method, args } satisfies ToWorker);
      });
    },
    async terminate() {
      isWanted = true;
      await within(SOON_MS, Promise.race([serving, exited]));
      if (!stopped) await worker.terminate();
    },
    async finish() {
      if (stopped) return;
      isWanted = true;
      worker.postMessage({ kind: 'finish' } satisfies ToWorker);
      await exited;
    },
  };
}

/** Node 20 ignores `--import tsx` in a thread, so a first module of one line registers it there and loads the real one. */
function throughTypeScript(url: URL): URL {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'));
  const api = new URL('./dist/esm/api/index.mjs', tsx);
  const code = `import { register } from ${JSON.stringify(api.href)}; register(); await import(${JSON.stringify(url.href)});`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

/**
 * The worker's side: answers calls with these methods. A method's signal aborts when its caller gave up.
 * @param settled resolves when nothing runs on that a method left behind when it was given up
 * @returns a function that sends an event to the thread that started this one
 */
export function serveWorkerThread(
  methods: Methods,
  { port = parentPort, settled }: { port?: MessagePort | null; settled?: () => Promise<unknown> } = {},
): (event: unknown) => void {
  if (!port) throw new Error('serveWorkerThread runs in a worker thread only.');
  const to = port;
  const running = new Map<number, AbortController>();
  const tasks = new Set<Promise<void>>();

  async function answer(message: Extract<ToWorker, { kind: 'call' }>): Promise<void> {
    const controller = new AbortController();
    running.set(message.id, controller);
    try {
      const method = methods[message.method];
      if (!method) throw new Error(`The worker has no method ${message.method}.`);
      const value = await method(message.args as never, controller.signal);
      if (value instanceof Transfer)
        to.postMessage(
          { kind: 'answer', id: message.id, value: value.value } satisfies FromWorker,
          value.buffers,
        );
      else to.postMessage({ kind: 'answer', id: message.id, value } satisfies FromWorker);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      const retryable = error instanceof Error && 'retryable' in error && error.retryable === true;
      to.postMessage({ kind: 'failure', id: message.id, message: text, retryable } satisfies FromWorker);
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

  to.on('message', (message: ToWorker) => {
    if (message.kind === 'watch') return showPulse(message.pulse);
    if (message.kind === 'abort') return running.get(message.id)?.abort(new Error('The caller gave up.'));
    if (message.kind === 'finish') return void finish();
    const task = answer(message).finally(() => tasks.delete(task));
    tasks.add(task);
  });
  to.postMessage({ kind: 'serving' } satisfies FromWorker);
  return (event) => to.postMessage({ kind: 'event', value: event } satisfies FromWorker);
}
