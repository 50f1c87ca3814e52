/** Interval of signs of life, in milliseconds: several within the shortest limit. */
const BEAT_MS = 200;

/**
 * Signs of life of a thread, visible while it computes and cannot answer: shared memory, which running native
 * code does not block.
 */
export class Pulse {
  readonly shared: SharedArrayBuffer;
  readonly #cells: Int32Array;
  /** Native runs under way, oldest first. */
  readonly #runs = new Set<number>();
  #lastRun = 0;

  constructor(shared = new SharedArrayBuffer(8)) {
    this.shared = shared;
    this.#cells = new Int32Array(shared);
  }

  /** Grows as long as the thread's event loop turns. */
  get beats(): number {
    return Atomics.load(this.#cells, 0);
  }

  /** The oldest native run under way; 0: the thread is not in native code. */
  get oldestRun(): number {
    return Atomics.load(this.#cells, 1);
  }

  /** Starts beating. */
  begin(): void {
    setInterval(() => Atomics.add(this.#cells, 0, 1), BEAT_MS).unref();
  }

  /** Runs native code, visibly. */
  async around<T>(run: () => Promise<T>): Promise<T> {
    this.#lastRun = (this.#lastRun + 1) | 0 || 1;
    const own = this.#lastRun;
    this.#runs.add(own);
    this.#show();
    try {
      return await run();
    } finally {
      this.#runs.delete(own);
      this.#show();
    }
  }

  #show(): void {
    const [oldest = 0] = this.#runs;
    Atomics.store(this.#cells, 1, oldest);
  }
}

/** The pulse of the current thread, once it is watched. */
let own: Pulse | null = null;

/** Makes this thread's pulse visible in that memory. */
export function showPulse(shared: SharedArrayBuffer): void {
  own = new Pulse(shared);
  own.begin();
}

/**
 * Runs native code in a worker thread so that a run that never ends is noticed: a thread hanging in native
 * code is not terminated, because that would end the whole process. In an unwatched thread it simply runs.
 */
export const inNativeCode = <T>(run: () => Promise<T>): Promise<T> => (own ? own.around(run) : run());
