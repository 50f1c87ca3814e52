/** So often a thread shows that it is alive, in milliseconds: several times within the shortest limit. */
const BEAT_MS = 200;

/**
 * What a thread lets the one that started it see while it computes and cannot answer: memory shared by both, which
 * native code at work does not hinder.
 */
export class Pulse {
  readonly shared: SharedArrayBuffer;
  readonly #cells: Int32Array;
  /** Native runs under way, the oldest first. */
  readonly #runs = new Set<number>();
  #lastRun = 0;

  constructor(shared = new SharedArrayBuffer(8)) {
    this.shared = shared;
    this.#cells = new Int32Array(shared);
  }

  /** Grows for as long as the thread's own code comes to an end now and then. */
  get beats(): number {
    return Atomics.load(this.#cells, 0);
  }

  /** Names the native run that has been under way for longest; 0: the thread is not in native code. */
  get oldestRun(): number {
    return Atomics.load(this.#cells, 1);
  }

  /** From now on it beats. */
  begin(): void {
    setInterval(() => Atomics.add(this.#cells, 0, 1), BEAT_MS).unref();
  }

  /** Runs native code. */
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

/** The pulse of the thread that this module was loaded in, once somebody watches it. */
let own: Pulse | null = null;

/** Lets this thread be watched through that memory. */
export function showPulse(shared: SharedArrayBuffer): void {
  own = new Pulse(shared);
  own.begin();
}

/**
 * Runs native code in a worker thread, so that it is seen when it never ends: a thread that hangs in it is not cut off,
 * which would end the whole process. In a thread that nobody watches it is simply run.
 */
export const inNativeCode = <T>(run: () => Promise<T>): Promise<T> => (own ? own.around(run) : run());
