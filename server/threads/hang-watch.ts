import type { Pulse } from './pulse.ts';

/** What is seen of a thread; or of a process, which tells it otherwise. */
type Beating = Pick<Pulse, 'beats' | 'oldestRun'>;

/**
 * Notices that a thread hangs: that it does not beat, or that one and the same native run goes on, for longer than it
 * may.
 */
export class HangWatch {
  readonly #pulse: Beating;
  readonly #onHang: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param onHang called once; then nothing is watched any more */
  constructor(pulse: Beating, onHang: () => void) {
    this.#pulse = pulse;
    this.#onHang = onHang;
  }

  /**
   * Watches from now on with this limit, in milliseconds; a hang is noticed within half of it more. Two looks without a
   * change between them: one alone may come late because this process itself stood still.
   */
  allow(limitMs: number): void {
    this.stop();
    let { beats, oldestRun } = this.#pulse;
    let [silent, stuck] = [0, 0];
    const timer = setInterval(() => {
      silent = this.#pulse.beats === beats ? silent + 1 : 0;
      stuck = oldestRun !== 0 && this.#pulse.oldestRun === oldestRun ? stuck + 1 : 0;
      ({ beats, oldestRun } = this.#pulse);
      if (silent < 2 && stuck < 2) return;
      this.stop();
      this.#onHang();
    }, limitMs / 2);
    this.#timer = timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
