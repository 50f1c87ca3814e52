import { TooLarge } from './unreadable.ts';

/** What one file may be once it is unpacked, in bytes: pages, pictures and fonts of a large book. */
const MAX_UNPACKED_BYTES = 100_000_000;

/** Counts what becomes of one file while it is unpacked. The sizes that a file claims may be lies. */
export class Unpacked {
  #left = MAX_UNPACKED_BYTES;

  /** Bytes that may still come. */
  get left(): number {
    return Math.max(0, this.#left);
  }

  /** @param bytes that came @throws TooLarge once there are too many */
  take(bytes: number): void {
    this.#left -= bytes;
    this.check();
  }

  /** For libraries that go on after an error. @throws TooLarge once there were too many */
  check(): void {
    if (this.#left < 0) throw new TooLarge();
  }
}
