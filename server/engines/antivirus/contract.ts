export type ScanVerdict =
  | { is: 'clean' }
  /** `name`: the signature that matched. */
  | { is: 'infected'; name: string }
  /** Larger than the scanner accepts. */
  | { is: 'too-large' };

/**
 * Detects malicious files. Every method rejects with a retryable EngineError when the scanner is away, hangs
 * or answers nonsense.
 */
export interface Antivirus {
  /**
   * Passes the bytes of a file through, so that they can be stored while they are scanned, and returns the
   * verdict after the last byte, or as soon as it is known. Ending the iteration early releases the scanner.
   * @throws EngineError; any error of `bytes`; the signal's reason
   */
  scan(
    bytes: AsyncIterable<Uint8Array>,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array, ScanVerdict, undefined>;
  /** Resolves if the scanner is ready. */
  check(): Promise<void>;
  /** The scanner's name and its version of signatures; null if it does not say. */
  version(): Promise<string | null>;
  close(): Promise<void>;
}
