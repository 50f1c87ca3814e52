import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { environmentOfEngines, environmentOfNpm } from '#server/lib/environment';
import { within } from '#server/lib/wait';
import { HangWatch } from './hang-watch.ts';
import { Pulse } from './pulse.ts';

/** What a thread is asked. */
export type Asked =
  | { kind: 'call'; id: number; method: string; args: unknown }
  | { kind: 'abort'; id: number };
/** All that a thread is told. */
export type ToThread = Asked | { kind: 'watch'; pulse: SharedArrayBuffer } | { kind: 'finish' };
export type FromThread =
  | { kind: 'serving' }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'failure'; id: number; message: string; retryable: boolean }
  | { kind: 'event'; value: unknown };

export interface ThreadOptions {
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
  /** It asks the npm client, which reads settings of its own from the environment. Otherwise it is given next to nothing of it. */
  asksNpm?: boolean;
}

/** How a thread ended for whoever uses it. */
export interface ThreadEnd {
  /** null: it ended by itself, or was told to. */
  failure: Error | null;
  hangs: boolean;
  /** It is still there, with all its memory, until its process ends. */
  isLeft: boolean;
}

export interface ThreadListener {
  onMessage(message: FromThread): void;
  /** Told once; nothing follows. */
  onEnd(end: ThreadEnd): void;
}

export type HowToEnd = 'finish' | 'terminate';

/** The way to a thread. What is sent after its end is lost. */
export interface ThreadLine {
  post(message: Asked): void;
  /**
   * Stops the thread: by `finish` once what runs in it has come to an end, by `terminate` at once, or once it has read its
   * modules: Node.js may end the whole process when that is cut off.
   */
  end(how: HowToEnd): void;
}

/** Every thread has a heap of its own; left to itself each keeps up to 48 MB for what lives a moment. */
const YOUNG_GENERATION_MB = 6;

/** Reading a thread's modules, or cutting it off, takes a tenth of that. */
const SOON_MS = 3_000;
/** While a thread reads its modules or loads, from a slow disk perhaps, it may show no life for so long. */
export const START_HANG_MS = 60_000;

/** Starts `<name>.worker` beside a module as a thread of this process, and watches that it lives. */
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
  /** It has read its modules, or is over. */
  const started = new Promise<void>((resolve) => {
    goOn = resolve;
  });

  const watch = new HangWatch(pulse, () => void giveUp());
  const watchOn = () => {
    if (hangMs !== null && !isOver) watch.allow(isServing && loads.size === 0 ? hangMs : startHangMs);
  };
  if (hangMs !== null) worker.postMessage({ kind: 'watch', pulse: pulse.shared } satisfies ToThread);
  watchOn();

  /** A thread that hangs in native code is left behind, and ends by itself if it ever comes back. */
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

/** Node 20 ignores `--import tsx` in a thread, so a first module of one line registers it there and loads the real one. */
function throughTypeScript(url: URL): URL {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'));
  const api = new URL('./dist/esm/api/index.mjs', tsx);
  const code = `import { register } from ${JSON.stringify(api.href)}; register(); await import(${JSON.stringify(url.href)});`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}
