/** What a scanner says of a file. */
export type ScanVerdict =
  | { is: 'clean' }
  /** `name`: what it is known as. */
  | { is: 'infected'; name: string }
  /** More than the scanner takes. */
  | { is: 'too-large' };

/** Knows malicious files. Every method rejects with a retryable EngineError when the scanner is away, hangs or talks nonsense. */
export interface Antivirus {
  /**
   * Passes the bytes of a file on, so that it can be kept while it is scanned, and returns the verdict behind the last of
   * them. It ends early where the verdict is known early. Whoever leaves early lets go of the scanner.
   * @throws EngineError; whatever `bytes` throws; the signal's reason
   */
  scan(
    bytes: AsyncIterable<Uint8Array>,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array, ScanVerdict, undefined>;
  /** Resolves once the scanner would scan. */
  check(): Promise<void>;
  /** What it calls itself and its signatures; null where it does not say. */
  version(): Promise<string | null>;
  close(): Promise<void>;
}
