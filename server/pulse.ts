/**
 * What a thread lets another one see while it computes and cannot answer: memory shared by both, which native code at
 * work does not hinder.
 */
export class Pulse {
  readonly shared: SharedArrayBuffer;
  readonly #cells: Int32Array;

  constructor(shared = new SharedArrayBuffer(8)) {
    this.shared = shared;
    this.#cells = new Int32Array(shared);
  }

  /** Grows with every native call that begins or ends, and by itself where the thread was told to beat. */
  get beats(): number {
    return Atomics.load(this.#cells, 0);
  }

  /** Whether the thread is in native code, where it must not be cut off. */
  get isNative(): boolean {
    return Atomics.load(this.#cells, 1) > 0;
  }

  /** From now on it beats by itself, for as long as the thread answers at all. */
  beatEvery(ms: number): void {
    setInterval(() => Atomics.add(this.#cells, 0, 1), ms).unref();
  }

  /** Runs a native call. */
  async around<T>(run: () => Promise<T>): Promise<T> {
    Atomics.add(this.#cells, 0, 1);
    Atomics.add(this.#cells, 1, 1);
    try {
      return await run();
    } finally {
      Atomics.sub(this.#cells, 1, 1);
      Atomics.add(this.#cells, 0, 1);
    }
  }
}
