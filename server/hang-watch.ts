import type { Pulse } from './pulse.ts';
import { WorkerStopped } from './worker-thread.ts';

/**
 * Notices that a thread has stopped beating: one that beats around its native calls while there are calls under way
 * (`over`), one that beats by itself all the time (`keep`).
 */
export class HangWatch {
  readonly #pulse: Pulse;
  readonly #limitMs: number;
  readonly #onHang: () => void;
  /** Calls under way, by how to make them fail. */
  readonly #pending = new Set<(error: WorkerStopped) => void>();
  #timer: NodeJS.Timeout | null = null;

  /**
   * @param limitMs without a beat for so long the thread hangs; it is noticed within half of it more
   * @param onHang called before the calls under way fail
   */
  constructor(pulse: Pulse, limitMs: number, onHang: () => void) {
    this.#pulse = pulse;
    this.#limitMs = limitMs;
    this.#onHang = onHang;
  }

  /**
   * A call's answer.
   * @throws WorkerStopped when the thread hangs, what the call throws
   */
  async over<A>(answer: Promise<A>): Promise<A> {
    let fail: (error: WorkerStopped) => void = () => {};
    const hung = new Promise<never>((_, reject) => {
      fail = reject;
    });
    this.#pending.add(fail);
    this.#start();
    try {
      return await Promise.race([answer, hung]);
    } finally {
      this.#pending.delete(fail);
    }
  }

  /**
   * Watches also while no call is under way, for a thread that beats by itself.
   * @returns stops that
   */
  keep(): () => void {
    const entry = () => {};
    this.#pending.add(entry);
    this.#start();
    return () => this.#pending.delete(entry);
  }

  /** Two looks without a beat between them: one alone may come late because this process itself stood still. */
  #start(): void {
    if (this.#timer) return;
    let beats = this.#pulse.beats;
    let still = 0;
    const timer = setInterval(() => {
      still = this.#pulse.beats === beats ? still + 1 : 0;
      beats = this.#pulse.beats;
      // Who gave up a call does not end the native run that it waited for.
      const isIdle = this.#pending.size === 0 && !this.#pulse.isNative;
      if (!isIdle && still < 2) return;
      clearInterval(timer);
      this.#timer = null;
      if (isIdle) return;
      this.#onHang();
      for (const fail of this.#pending) fail(new WorkerStopped('The thread hangs.'));
    }, this.#limitMs / 2);
    this.#timer = timer.unref();
  }
}
