import type { Pulse } from './pulse.ts';

/** Signs of life of a thread, or of a process that reports them. */
type Beating = Pick<Pulse, 'beats' | 'oldestRun'>;

/** Detects that a thread hangs: it does not beat, or one native run takes longer than allowed. */
export class HangWatch {
  readonly #pulse: Beating;
  readonly #onHang: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param onHang called once; watching then ends */
  constructor(pulse: Beating, onHang: () => void) {
    this.#pulse = pulse;
    this.#onHang = onHang;
  }

  /**
   * Watches with this limit in milliseconds; a hang is detected within half of it more. Requires two checks
   * without a change: a single late check may mean that this process itself stood still.
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
