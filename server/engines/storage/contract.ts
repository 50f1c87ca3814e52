import type { Readable } from 'node:stream';

/** Bytes from `start` to `end`, both included, as HTTP counts them. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Where the bytes of recordings lie. Keys are paths of lower-case letters, digits, dots and dashes, as `a/b/c`.
 * Every method rejects with an EngineError when the store is away or full, or with the signal's reason.
 */
export interface MediaStore {
  readonly name: string;
  /**
   * Keeps bytes under a key: all of them or none, also when the process ends in between. When it resolves they are
   * safe. What `bytes` itself throws comes out again.
   */
  put(
    key: string,
    bytes: AsyncIterable<Uint8Array>,
    options: { mediaType: string; signal?: AbortSignal },
  ): Promise<void>;
  /** The bytes under a key, or the part of them that is asked for; null when there are none. Whoever opens it, reads or destroys it. */
  open(key: string, range?: ByteRange, signal?: AbortSignal): Promise<Readable | null>;
  /** Removes what lies under a key; a key that ends with `/` removes all that begins with it. Nothing there is fine. */
  delete(keyOrPrefix: string): Promise<void>;
  /** Every key that begins with this prefix, which ends with `/`; in no order; what is still being put may be among them. */
  list(prefix: string): AsyncIterable<string>;
  /** Only where there are keys: asks by these from now on. */
  takeKeys?(keys: StoreKeys): void;
  close(): Promise<void>;
}

export interface StoreKeys {
  accessKeyId: string;
  secretAccessKey: string;
}
