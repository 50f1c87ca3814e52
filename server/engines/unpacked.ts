import { TooLarge } from './unreadable.ts';

/** Largest unpacked size of a file, in bytes: pages, pictures and fonts of a large book. */
const MAX_UNPACKED_BYTES = 100_000_000;

/** Counts the unpacked bytes of one file. Sizes stated in the file may be lies. */
export class Unpacked {
  #left = MAX_UNPACKED_BYTES;

  /** Bytes that may still come. */
  get left(): number {
    return Math.max(0, this.#left);
  }

  /** @param bytes newly unpacked @throws TooLarge beyond the limit */
  take(bytes: number): void {
    this.#left -= bytes;
    this.check();
  }

  /** For libraries that continue after an error. @throws TooLarge if the limit was passed */
  check(): void {
    if (this.#left < 0) throw new TooLarge();
  }
}
