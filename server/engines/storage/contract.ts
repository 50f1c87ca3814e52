import type { Readable } from 'node:stream';

/** Bytes from `start` to `end`, inclusive, as in HTTP. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Stores the bytes of recordings. Keys are paths of lower-case letters, digits, dots and dashes, like
 * `a/b/c`. Every method rejects with an EngineError when the store is away or full, or with the signal's
 * reason.
 */
export interface MediaStore {
  readonly name: string;
  /**
   * Stores bytes under a key, atomically even if the process ends meanwhile. Resolves once they are durable.
   * Errors of `bytes` are passed on.
   */
  put(
    key: string,
    bytes: AsyncIterable<Uint8Array>,
    options: { mediaType: string; signal?: AbortSignal },
  ): Promise<void>;
  /**
   * The bytes under a key, or the requested range; null if missing. The caller must read or destroy the
   * stream.
   */
  open(key: string, range?: ByteRange, signal?: AbortSignal): Promise<Readable | null>;
  /** Deletes the bytes under a key, if any; a key ending with `/` deletes everything below it. */
  delete(keyOrPrefix: string): Promise<void>;
  /**
   * All keys that begin with this prefix, which ends with `/`; unordered; may include files still being
   * written.
   */
  list(prefix: string): AsyncIterable<string>;
  /** Present if the store uses keys: uses these from now on. */
  takeKeys?(keys: StoreKeys): void;
  close(): Promise<void>;
}

export interface StoreKeys {
  accessKeyId: string;
  secretAccessKey: string;
}
