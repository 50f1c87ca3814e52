import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { environmentOfEngines, environmentOfNpm } from '#server/lib/environment';
import { within } from '#server/lib/wait';
import { HangWatch } from './hang-watch.ts';
import { Pulse } from './pulse.ts';

/** A call to a thread. */
export type Asked =
  | { kind: 'call'; id: number; method: string; args: unknown }
  | { kind: 'abort'; id: number };
/** All messages to a thread. */
export type ToThread = Asked | { kind: 'watch'; pulse: SharedArrayBuffer } | { kind: 'finish' };
export type FromThread =
  | { kind: 'serving' }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'failure'; id: number; message: string; retryable: boolean }
  | { kind: 'event'; value: unknown };

export interface ThreadOptions {
  /**
   * A thread without a sign of life for this many milliseconds hangs (detected within half of it more): it is
   * reported as stopped, and terminated unless it is in native code. null: its owner watches it.
   */
  hangMs: number | null;
  /** The same while it loads its modules or runs `load`. Default 60 s. */
  startHangMs?: number;
  /** The thread owns native threads that need it: if it hangs, it is left behind instead of terminated. */
  isNeverCutOff?: boolean;
  /** Heap limit in megabytes; a thread that needs more stops with an error. Default: Node.js's limit. */
  heapMb?: number;
  workerData?: unknown;
  /** Passes the npm client's environment; other threads get almost none of it. */
  asksNpm?: boolean;
}

/** How a thread ended, for its user. */
export interface ThreadEnd {
  /** null: it ended by itself or was told to. */
  failure: Error | null;
  hangs: boolean;
  /** It still exists, with all its memory, until its process ends. */
  isLeft: boolean;
}

export interface ThreadListener {
  onMessage(message: FromThread): void;
  /** Called once; nothing follows. */
  onEnd(end: ThreadEnd): void;
}

export type HowToEnd = 'finish' | 'terminate';

/** The connection to a thread. Messages sent after its end are lost. */
export interface ThreadLine {
  post(message: Asked): void;
  /**
   * Stops the thread: `finish` waits until its work has ended; `terminate` acts at once, or after its modules
   * are loaded, because terminating earlier may end the whole process.
   */
  end(how: HowToEnd): void;
}

/** Every thread has a heap of its own; by default each keeps up to 48 MB for short-lived objects. */
const YOUNG_GENERATION_MB = 6;

/** Ten times what loading modules or terminating takes. */
const SOON_MS = 3_000;
/** Limit while a thread loads its modules or data, perhaps from a slow disk. */
export const START_HANG_MS = 60_000;

/** Starts `<name>.worker` beside a module as a thread of this process, and watches it. */
export function runThread(
  base: string,
  name: string,
  options: ThreadOptions,
  listener: ThreadListener,
): ThreadLine {
  const { hangMs, startHangMs = START_HANG_MS, isNeverCutOff = false } = options;
  const fromSource = base.endsWith('.ts');
  const url = new URL(`${name}${fromSource ? '.ts' : '.js'}`, base);
  const pulse = new Pulse();
  const worker = new Worker(fromSource ? throughTypeScript(url) : url, {
    workerData: options.workerData,
    env: options.asksNpm ? environmentOfNpm() : environmentOfEngines(),
    resourceLimits: {
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      ...(options.heapMb ? { maxOldGenerationSizeMb: options.heapMb } : {}),
    },
    execArgv: fromSource ? ['--conditions=sigma-source'] : [],
  });
  /** Calls of `load` under way. */
  const loads = new Set<number>();
  let failure: Error | null = null;
  let isServing = false;
  let isOver = false;
  let goOn = () => {};
  /** Resolves when it has loaded its modules, or has ended. */
  const started = new Promise<void>((resolve) => {
    goOn = resolve;
  });

  const watch = new HangWatch(pulse, () => void giveUp());
  const watchOn = () => {
    if (hangMs !== null && !isOver) watch.allow(isServing && loads.size === 0 ? hangMs : startHangMs);
  };
  if (hangMs !== null) worker.postMessage({ kind: 'watch', pulse: pulse.shared } satisfies ToThread);
  watchOn();

  /** Leaves a thread that hangs in native code; it ends by itself if it ever returns. */
  async function giveUp(): Promise<void> {
    failure = new Error(`The worker ${name} hangs.`);
    const isLeft = isNeverCutOff || !isServing || pulse.oldestRun !== 0;
    if (isLeft) worker.unref();
    if (isLeft) worker.postMessage({ kind: 'finish' } satisfies ToThread);
    else await within(SOON_MS, worker.terminate());
    end({ hangs: true, isLeft });
  }

  function end(how: Pick<ThreadEnd, 'hangs' | 'isLeft'>): void {
    if (isOver) return;
    isOver = true;
    watch.stop();
    goOn();
    listener.onEnd({ failure, ...how });
  }

  worker.on('message', (message: FromThread) => {
    if (isOver) return;
    if (message.kind === 'serving') {
      isServing = true;
      goOn();
      watchOn();
    } else if ('id' in message && loads.delete(message.id)) watchOn();
    listener.onMessage(message);
  });
  worker.on('error', (error: Error) => {
    failure = error;
  });
  worker.on('exit', () => end({ hangs: false, isLeft: false }));

  return {
    post(message) {
      worker.postMessage(message satisfies ToThread);
      if (message.kind === 'abort' && loads.delete(message.id)) watchOn();
      if (message.kind !== 'call' || message.method !== 'load') return;
      loads.add(message.id);
      watchOn();
    },
    async end(how) {
      if (isOver) return;
      if (how === 'finish') return worker.postMessage({ kind: 'finish' } satisfies ToThread);
      await within(SOON_MS, started);
      await worker.terminate();
    },
  };
}

/**
 * Node 20 ignores `--import tsx` in a thread, so a one-line module registers it there and imports the real
 * one.
 */
function throughTypeScript(url: URL): URL {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'));
  const api = new URL('./dist/esm/api/index.mjs', tsx);
  const code = `import { register } from ${JSON.stringify(api.href)}; register(); await import(${JSON.stringify(url.href)});`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}
