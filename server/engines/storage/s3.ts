import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type * as Sdk from '@aws-sdk/client-s3';
import { EngineError } from '#server/lib/engine-error';
import { Patience } from '#server/lib/patience';
import { timeLimit, untilAborted } from '#server/lib/wait';
import type { ByteRange, MediaStore, StoreKeys } from './contract.ts';
import { checkedKey } from './keys.ts';

interface S3Options {
  bucket: string;
  region: string;
  /** Address of a store other than Amazon's, e.g. http://127.0.0.1:9000. */
  endpoint: string | null;
  /** null: the machine's own credentials (environment, profile, role). */
  credentials: StoreKeys | null;
  /** Timeouts in milliseconds, for tests. */
  waits?: { answerMs: number; silenceMs: number };
}

/** Timeouts in milliseconds: connection, answer including retries, and the next bytes of a body. */
const CONNECT_MS = 5_000;
const WAITS = { answerMs: 60_000, silenceMs: 30_000 };
/** Slowest acceptable transfer of a body: 100 kB a second, as bytes per millisecond. */
const SLOWEST = 100;
/** The client retries requests itself, but cannot repeat a streamed body; we do. */
const TRIES = 3;

/**
 * Stores bytes in a bucket of Amazon S3 or of a compatible store, which is addressed by path. The client is
 * loaded with the first request: a server without a bucket saves its 0.2 s and 30 MB.
 */
export const createS3Store = (options: S3Options): MediaStore => new S3Store(options);

class S3Store implements MediaStore {
  readonly name = 'S3';
  readonly takeKeys?: (next: StoreKeys) => void;
  readonly #options: S3Options;
  readonly #waits: NonNullable<S3Options['waits']>;
  readonly #keys: { now: StoreKeys } | null;
  #loading: Promise<{ sdk: typeof Sdk; client: Sdk.S3Client }> | undefined;

  constructor(options: S3Options) {
    this.#options = options;
    this.#waits = options.waits ?? WAITS;
    const keys = options.credentials && { now: options.credentials };
    this.#keys = keys;
    if (keys)
      this.takeKeys = (next) => {
        keys.now = next;
      };
  }

  async put(
    key: string,
    bytes: AsyncIterable<Uint8Array>,
    { mediaType, signal }: { mediaType: string; signal?: AbortSignal },
  ): Promise<void> {
    const Key = checkedKey(key);
    await spooled(bytes, signal, async (spool, size) => {
      const { sdk, client } = await this.#connect();
      for (let triesLeft = TRIES; triesLeft > 0; triesLeft--) {
        const Body = createReadStream(spool);
        try {
          const put = new sdk.PutObjectCommand({
            ...{ Bucket: this.#options.bucket, Key, Body },
            ...{ ContentLength: size, ContentType: mediaType },
          });
          await this.#ask((abortSignal) => client.send(put, { abortSignal }), signal, size);
          return;
        } catch (error) {
          signal?.throwIfAborted();
          if (triesLeft === 1 || !isPassing(error)) throw broken(error);
        } finally {
          Body.destroy();
        }
      }
    });
  }

  async open(key: string, range?: ByteRange, signal?: AbortSignal): Promise<Readable | null> {
    const { sdk, client } = await this.#connect();
    try {
      const get = new sdk.GetObjectCommand({
        Bucket: this.#options.bucket,
        Key: checkedKey(key),
        ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
      });
      const { Body, ContentLength = 0 } = await this.#ask(
        (abortSignal) => client.send(get, { abortSignal }),
        signal,
      );
      return Body instanceof Readable ? this.#patient(Body, ContentLength, signal) : null;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof sdk.NoSuchKey) return null;
      throw broken(error);
    }
  }

  async delete(keyOrPrefix: string): Promise<void> {
    checkedKey(keyOrPrefix);
    if (!keyOrPrefix.endsWith('/')) return this.#remove([keyOrPrefix]);
    let keys: string[] = [];
    for await (const key of this.#keysBelow(keyOrPrefix)) {
      keys.push(key);
      if (keys.length === MOST_AT_ONCE) {
        await this.#remove(keys);
        keys = [];
      }
    }
    await this.#remove(keys);
  }

  list(prefix: string): AsyncIterable<string> {
    return this.#keysBelow(checkedKey(prefix));
  }

  async close(): Promise<void> {
    const connected = await this.#loading?.catch(() => undefined);
    connected?.client.destroy();
  }

  #connect(): Promise<{ sdk: typeof Sdk; client: Sdk.S3Client }> {
    const { region, endpoint } = this.#options;
    const keys = this.#keys;
    this.#loading ??= import('@aws-sdk/client-s3').then((sdk) => ({
      sdk,
      client: new sdk.S3Client({
        region,
        ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
        // With an expiry in the past; otherwise the client would ask once and cache the keys.
        ...(keys ? { credentials: async () => ({ ...keys.now, expiration: new Date() }) } : {}),
        // Silenced: it writes errors to the console that an EngineError reports anyway.
        logger: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
        // Stores other than Amazon's reject checksums they do not know.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        requestHandler: { connectionTimeout: CONNECT_MS },
      }),
    }));
    return this.#loading;
  }

  /** The client's own timeouts do not cover an answer that never comes. */
  async #ask<T>(send: (abortSignal: AbortSignal) => Promise<T>, signal?: AbortSignal, bytes = 0): Promise<T> {
    const clock = timeLimit(this.#waits.answerMs + bytes / SLOWEST);
    // Ends unanswered requests only: once an answer has begun, it may be read for as long as it takes.
    const stop = new AbortController();
    try {
      return await untilAborted(send(stop.signal), signal ? AbortSignal.any([signal, clock]) : clock);
    } catch (error) {
      stop.abort();
      throw error;
    }
  }

  async #remove(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const { sdk, client } = await this.#connect();
    try {
      const Objects = keys.map((Key) => ({ Key }));
      const wanted = new sdk.DeleteObjectsCommand({
        Bucket: this.#options.bucket,
        Delete: { Objects, Quiet: true },
      });
      const { Errors = [] } = await this.#ask((abortSignal) => client.send(wanted, { abortSignal }));
      if (Errors.length > 0) throw new Error(`The store kept ${Errors.length} objects: ${Errors[0]?.Code}.`);
    } catch (error) {
      throw broken(error);
    }
  }

  async *#keysBelow(Prefix: string): AsyncGenerator<string> {
    const { sdk, client } = await this.#connect();
    let ContinuationToken: string | undefined;
    do {
      const wanted = new sdk.ListObjectsV2Command({
        Bucket: this.#options.bucket,
        Prefix,
        ContinuationToken,
      });
      const page = await this.#ask((abortSignal) => client.send(wanted, { abortSignal })).catch(
        (error: unknown) => {
          throw broken(error);
        },
      );
      for (const { Key } of page.Contents ?? []) if (Key) yield Key;
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken);
  }

  /** A body with a timeout for the store's next bytes. The reader may be as slow as it likes. */
  #patient(body: Readable, bytes: number, signal: AbortSignal | undefined): Readable {
    const { answerMs, silenceMs } = this.#waits;
    const patience = new Patience(answerMs + bytes / SLOWEST);
    const read = async function* () {
      const pieces = body[Symbol.asyncIterator]();
      try {
        for (;;) {
          const { done, value } = await untilAborted(patience.during(pieces.next(), silenceMs), signal);
          if (done) return;
          yield value;
        }
      } catch (error) {
        signal?.throwIfAborted();
        throw broken(error);
      }
    };
    const patientBody = Readable.from(read(), { objectMode: false });
    return patientBody.once('close', () => body.destroy());
  }
}

/**
 * Works with bytes that were first written to a temporary file: the protocol needs the length first, and a
 * failed request must be repeatable.
 */
async function spooled(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
  work: (spool: string, size: number) => Promise<void>,
): Promise<void> {
  const spool = join(tmpdir(), `sigma-recording-${randomUUID()}`);
  try {
    let full: Error | undefined;
    const sink = createWriteStream(spool, { mode: 0o600 }).on('error', (error: NodeJS.ErrnoException) => {
      if (error.syscall) full = error;
    });
    await pipeline(Readable.from(bytes), sink, signal ? { signal } : {}).catch((error: unknown) => {
      throw full ? broken(full) : error;
    });
    const { size } = await stat(spool);
    await work(spool, size);
  } finally {
    await rm(spool, { force: true });
  }
}

/** A lost connection, or a failure of the store itself. */
function isPassing(error: unknown): boolean {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  return status === undefined || status >= 500 || status === 429;
}

/** Most keys of one DeleteObjects request. */
const MOST_AT_ONCE = 1_000;

const broken = (cause: unknown) =>
  new EngineError('Recordings cannot be reached right now.', { retryable: true, cause });
