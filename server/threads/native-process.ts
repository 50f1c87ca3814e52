import { type ChildProcess, fork } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { environmentOfEngines } from '#server/lib/environment';
import { forkFlags } from './fork-flags.ts';
import { HangWatch } from './hang-watch.ts';
import {
  type FromNativeProcess,
  type NativeUsage,
  packed,
  type ToNativeProcess,
  unpacked,
} from './native-messages.ts';
import { START_HANG_MS, type ThreadLine, type ThreadListener, type ThreadOptions } from './watched-thread.ts';
import { callsOver, type Methods, type WorkerThread, type WorkerThreadOptions } from './worker-thread.ts';

/** A process without a sign of life for this many milliseconds hangs. It beats once a second. */
const HANG_MS = 20_000;
/** Most threads that hang in native code and remain in a process with their memory; one more ends it. */
const MAX_LEFT = 1;
/**
 * Two ends within this many milliseconds are not a coincidence: from then on every thread gets its own
 * process.
 */
const AGAIN_MS = 60_000;

const fromSource = import.meta.url.endsWith('.ts');
const HOST = fileURLToPath(new URL(`./native-host${fromSource ? '.ts' : '.js'}`, import.meta.url));
/** The process only passes messages on, so its short-lived memory is limited like a thread's. */
const FLAGS = ['--max-semi-space-size=2', ...forkFlags];

/** Running processes. */
const running = new Set<NativeProcess>();
/** Running processes for native engines, by the thread that each is for; `''`: the shared one. */
const processes = new Map<string, NativeProcess>();
let lastEnd = Number.NEGATIVE_INFINITY;
/** Set after the shared process ended twice in a short time: a faulty thread then ends only its own. */
let eachAlone = false;
/** Processor time of processes that have ended. */
let cpuMsBefore = 0;

/**
 * Starts `<name>.worker` beside the calling module as a thread of another process, shared by all engines with
 * native libraries, and calls its methods: like `startWorkerThread`, but a crash of native code does not end
 * this process. When that process ends, all its threads have stopped; the next one starts in a new process.
 * It ends with its last thread, and with this process. Arguments and answers are copied; shared memory cannot
 * be passed.
 */
export const startNativeThread = <M extends Methods>(
  base: string,
  name: string,
  options: WorkerThreadOptions,
): WorkerThread<M> => {
  const { onEvent, onExit, ...ofThread } = options;
  return callsOver(name, { onEvent, onExit }, (listener) =>
    processFor(name).start(base, name, ofThread, listener),
  );
};

/**
 * The same with a process of its own. It is killed when it exceeds its memory limit, and at once when the
 * thread is told to end, which releases all its memory.
 * @param options `residentMb`: megabytes, Node.js itself (some 60) included
 */
export const startThreadApart = <M extends Methods>(
  base: string,
  name: string,
  options: WorkerThreadOptions & { residentMb: number },
): WorkerThread<M> => {
  const { onEvent, onExit, residentMb, ...ofThread } = options;
  return callsOver(name, { onEvent, onExit }, (listener) =>
    new NativeProcess({ residentMb }).start(base, name, ofThread, listener),
  );
};

// A process that stands still would not notice that this one has gone.
process.on('exit', () => {
  for (const one of running) one.kill();
});

/** Resource use of these processes: their last reports, plus processor time of those that have ended. */
export function nativeUsage(): NativeUsage {
  const usages = [...running].map(({ usage }) => usage);
  return {
    residentBytes: usages.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
    cpuMs: usages.reduce((sum, { cpuMs }) => sum + cpuMs, cpuMsBefore),
  };
}

function processFor(name: string): NativeProcess {
  const whose = eachAlone ? name : '';
  const known = processes.get(whose);
  if (known) return known;
  const made = new NativeProcess({
    onEnd(isWanted) {
      processes.delete(whose);
      if (isWanted) return;
      const now = performance.now();
      eachAlone ||= now - lastEnd < AGAIN_MS;
      lastEnd = now;
    },
  });
  processes.set(whose, made);
  return made;
}

interface NativeProcessOptions {
  /** Called once, before the owners of its threads are told. */
  onEnd?: (isWanted: boolean) => void;
  /** Set for a process with one thread: its memory limit in megabytes. */
  residentMb?: number;
}

class NativeProcess {
  usage: NativeUsage = { residentBytes: 0, cpuMs: 0 };
  readonly #child: ChildProcess | null;
  readonly #options: NativeProcessOptions;
  readonly #threads = new Map<number, ThreadListener>();
  readonly #pulse = { beats: 0, oldestRun: 0 };
  readonly #watch: HangWatch;
  #started = 0;
  #left = 0;
  #isOver = false;

  constructor(options: NativeProcessOptions) {
    this.#options = options;
    running.add(this);
    this.#watch = new HangWatch(this.#pulse, () => this.#end(new Error(`${this.#name} hangs.`), true));
    this.#watch.allow(START_HANG_MS);
    this.#child = this.#begin();
  }

  /** @returns null if this machine cannot start another process */
  #begin(): ChildProcess | null {
    const { residentMb } = this.#options;
    try {
      const child = fork(HOST, residentMb === undefined ? [] : [String(residentMb)], {
        execArgv: FLAGS,
        env: environmentOfEngines(),
        serialization: 'advanced',
        // Output of native libraries must not mix with the server's standard output.
        stdio: ['ignore', 2, 2, 'ipc'],
      });
      child.on('message', (bytes) => bytes instanceof Uint8Array && this.#hear(bytes));
      child.on('error', (error) => this.#end(error, false));
      child.on('exit', (code, signal) =>
        this.#end(new Error(`${this.#name} ended (${signal ?? code}).`), false),
      );
      return child;
    } catch (cause) {
      const failure = new Error(`${this.#name} could not be started.`, { cause });
      setImmediate(() => this.#end(failure, false));
      return null;
    }
  }

  start(base: string, name: string, options: ThreadOptions, listener: ThreadListener): ThreadLine {
    const thread = ++this.#started;
    this.#threads.set(thread, listener);
    this.#tell({ kind: 'start', thread, base, name, options });
    return {
      post: (message) => this.#tell({ kind: 'ask', thread, message }),
      end: (how) =>
        this.#options.residentMb === undefined
          ? this.#tell({ kind: 'end', thread, how })
          : this.#end(null, false),
    };
  }

  get #name(): string {
    return this.#options.residentMb === undefined
      ? 'The process of the native engines'
      : 'A process with a limit of memory';
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  /** A failure is ignored: its threads are about to be reported as stopped. */
  #tell(message: ToNativeProcess): void {
    this.#child?.send(packed(message), () => {});
  }

  #hear(bytes: Uint8Array): void {
    if (this.#isOver) return;
    const message: FromNativeProcess = unpacked(bytes);
    if (message.kind === 'beat') {
      if (this.#pulse.beats++ === 0) this.#watch.allow(HANG_MS);
      this.usage = message.usage;
      return;
    }
    const listener = this.#threads.get(message.thread);
    if (message.kind === 'said') {
      listener?.onMessage(message.message);
      return;
    }
    this.#threads.delete(message.thread);
    if (message.end.isLeft) this.#left++;
    // Before its owner is told, since the owner may start another at once.
    if (this.#threads.size === 0) this.#end(null, false);
    if (this.#left > MAX_LEFT) this.#end(new Error(`${this.#name} was ended: threads hang in it.`), false);
    listener?.onEnd(message.end);
  }

  /** @param failure null: no longer needed */
  #end(failure: Error | null, hangs: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#watch.stop();
    this.kill();
    running.delete(this);
    cpuMsBefore += this.usage.cpuMs;
    this.#options.onEnd?.(failure === null);
    for (const listener of this.#threads.values()) listener.onEnd({ failure, hangs, isLeft: false });
    this.#threads.clear();
  }
}
