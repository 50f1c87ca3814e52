import { rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { EngineError } from '#server/lib/engine-error';
import { takeLockFile } from '#server/lib/lock-file';
import { untilAborted } from '#server/lib/wait';
import type { Config } from '#server/settings/config';
import { startWorkerThread } from '#server/threads/worker-thread';
import type { EngineStatus } from '#shared/status';
import { bundleBytes, bundles } from './bundles.ts';
import type { Bundle, BundleName, Fetchers, Weights } from './contract.ts';
import type { FetchJob, FetchMethods } from './fetch.worker.ts';
import type { FetchProgress } from './fetch-bundle.ts';
import { passesSoon, reasonOf } from './fetch-failure.ts';
import type { NpmSettings } from './npm-client.ts';
import { isWhole } from './stamp.ts';

/**
 * Runs one attempt. Rejects with an EngineError whose message is the second half of a sentence, `retryable`
 * if a retry soon can help; any other error gets its sentence here.
 */
export type FetchAttempt = (
  job: FetchJob,
  onProgress: (progress: FetchProgress) => void,
  signal: AbortSignal,
) => Promise<void>;

export interface WeightsOptions<Name extends string = BundleName> {
  /** Absolute path of MODELS_DIR; created if missing. */
  modelsDir: string;
  logger?: Pick<Logger, 'info' | 'warn'>;
  /** Delays all work until it resolves. */
  begin?: Promise<void>;
  /** Attempts before `ensure` rejects. Default: unlimited. */
  attempts?: number;
  /**
   * Delays between attempts; the last one repeats. An attempt that received bytes starts over with the first.
   */
  retryDelaysMs?: readonly number[];
  /**
   * Delay after a failure that somebody must fix first, such as a wrong checksum: each attempt costs 100 MB.
   */
  slowRetryMs?: number;
  /** The npm client's settings; absent: read from it. */
  npm?: NpmSettings;
  /** The bundles; tests give smaller ones. */
  table?: Readonly<Record<Name, Bundle>>;
  fetchAttempt?: FetchAttempt;
}

const RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000];
const SLOW_RETRY_MS = 600_000;
/** The same delay for files of many gigabytes. */
const LARGE_RETRY_MS = 6 * 60 * 60_000;
/** Unpacking reports small steps, even on a slow disk. */
const HANG_MS = 60_000;
const MEGABYTE = 1_000_000;

interface Entry {
  status: EngineStatus;
  arrival: Promise<string> | null;
}

/** The weights in `modelsDir`. Nothing is fetched before `ensure`. */
export const createWeights = ({ table = bundles, ...options }: WeightsOptions): Weights =>
  new Fetcher({ ...options, table });

type FetcherOptions<Name extends string> = WeightsOptions<Name> & {
  table: Readonly<Record<Name, Bundle>>;
};

/** Fetches, verifies and installs the bundles of any table. Nothing is fetched before `ensure`. */
class Fetcher<Name extends string> implements Weights<Name> {
  readonly #options: FetcherOptions<Name>;
  readonly #closing = new AbortController();
  readonly #listeners = new Set<(bundle: Name, status: EngineStatus) => void>();
  readonly #entries = new Map<Name, Entry>();

  constructor(options: FetcherOptions<Name>) {
    this.#options = options;
  }

  status(name: Name): EngineStatus {
    return this.#entryOf(name).status;
  }

  async ensure(name: Name, signal?: AbortSignal): Promise<string> {
    signal?.throwIfAborted();
    if (this.#closing.signal.aborted) throw closed();
    const entry = this.#entryOf(name);
    if (!entry.arrival) {
      const arrival = this.#arrive(name).catch((error) => {
        entry.arrival = null;
        throw this.#closing.signal.aborted ? closed() : error;
      });
      entry.arrival = arrival;
      // Waiting callers get the failure; without callers it must not end the process.
      arrival.catch(() => {});
    }
    return untilAborted(entry.arrival, signal);
  }

  onProgress(listener: (bundle: Name, status: EngineStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closing.abort(closed());
    await Promise.allSettled([...this.#entries.values()].map((entry) => entry.arrival));
    this.#listeners.clear();
  }

  #entryOf(name: Name): Entry {
    const known = this.#entries.get(name) ?? { status: waiting(this.#options.table[name]), arrival: null };
    this.#entries.set(name, known);
    return known;
  }

  #setStatus(name: Name, status: EngineStatus): void {
    this.#entryOf(name).status = status;
    for (const listener of this.#listeners) listener(name, status);
  }

  /** Repeats attempts until the bundle is in its folder. */
  async #arrive(name: Name): Promise<string> {
    const { modelsDir, table, begin = Promise.resolve(), logger } = this.#options;
    const { retryDelaysMs = RETRY_DELAYS_MS, slowRetryMs = SLOW_RETRY_MS } = this.#options;
    const { attempts = Number.POSITIVE_INFINITY } = this.#options;
    const { signal } = this.#closing;
    const bundle = table[name];
    const folder = join(modelsDir, bundle.folder);
    let failures = 0;
    await untilAborted(begin, signal);
    for (let attempt = 1; ; attempt++) {
      if (await isWhole(folder, bundle)) return this.#arrived(name, folder);
      let newBytes = 0;
      try {
        await this.#attemptOnce(name, folder, (received) => {
          newBytes = received;
        });
        return this.#arrived(name, folder);
      } catch (error) {
        signal.throwIfAborted();
        const reason = reasonOf(error);
        logger?.warn({ bundle: name, attempt, reason }, 'Fetching weights failed');
        const soon = passesSoon(error);
        if (attempt >= attempts || (!soon && Number.isFinite(attempts)))
          throw this.#failed(name, bundle, reason);
        this.#setStatus(name, notYet(bundle, reason));
        if (newBytes > 0) failures = 0;
        const wait = soon ? retryDelaysMs[Math.min(failures++, retryDelaysMs.length - 1)] : slowRetryMs;
        await delay(wait, undefined, { signal });
      }
    }
  }

  async #attemptOnce(name: Name, folder: string, onReceived: (newBytes: number) => void): Promise<void> {
    const { modelsDir, table, npm, fetchAttempt = fetchInThread } = this.#options;
    const bundle = table[name];
    const total = bundleBytes(bundle);
    const workDir = join(modelsDir, '.fetching', bundle.folder);
    // Only one of several processes with the same MODELS_DIR fetches a bundle.
    const lock = await takeLockFile(`${workDir}.lock`, {
      signal: this.#closing.signal,
      onWait: () => this.#setStatus(name, fetchedByAnother(bundle)),
    });
    let first: number | null = null;
    try {
      if (await isWhole(folder, bundle)) return;
      this.#setStatus(name, fetching(bundle, 0, total));
      await fetchAttempt(
        { bundle, folder, workDir, ...(npm ? { npm } : {}) },
        (progress) => {
          if (progress.phase === 'unpacking') return this.#setStatus(name, unpacking(bundle));
          first ??= progress.received;
          onReceived(progress.received - first);
          this.#setStatus(name, fetching(bundle, progress.received, total || progress.total));
        },
        this.#closing.signal,
      );
    } finally {
      await lock.release();
      await rmdir(dirname(workDir)).catch(() => {}); // Fails while other locks are in it.
    }
  }

  #arrived(name: Name, folder: string): string {
    this.#options.logger?.info({ bundle: name }, 'Weights are installed');
    this.#setStatus(name, here(this.#options.table[name]));
    return folder;
  }

  #failed(name: Name, bundle: Bundle, reason: string): EngineError {
    const message = `${capital(bundle.label)} could not be fetched because ${reason}.`;
    this.#setStatus(name, { state: 'failed', message });
    return new EngineError(message, { retryable: true });
  }
}

/** The same for the needs of other parts of the product. */
export const createFetchers = (options: Omit<WeightsOptions<string>, 'table'>): Fetchers => ({
  open: (table) => new Fetcher({ slowRetryMs: LARGE_RETRY_MS, ...options, table }),
  has: (bundle) => isWhole(join(options.modelsDir, bundle.folder), bundle),
});

/** One attempt in a thread of its own, whose end releases its libraries' memory. */
const fetchInThread: FetchAttempt = async (job, onProgress, signal) => {
  const thread = startWorkerThread<FetchMethods>(import.meta.url, './fetch.worker', {
    hangMs: HANG_MS,
    asksNpm: true,
    onEvent: (event) => onProgress(event as FetchProgress),
  });
  try {
    await thread.call('fetch', job, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof Error && 'retryable' in error
      ? new EngineError(error.message, { retryable: error.retryable === true })
      : error;
  } finally {
    await thread.terminate();
  }
};

const waiting = (bundle: Bundle): EngineStatus => ({
  state: 'fetching',
  message: `${capital(bundle.label)} ${bundle.isPlural ? 'have' : 'has'} not been looked for yet; ${bundle.meanwhile}.`,
});

const fetchedByAnother = (bundle: Bundle): EngineStatus => ({
  state: 'fetching',
  message: `Another process is fetching ${bundle.label}; ${bundle.meanwhile}.`,
});

const unpacking = (bundle: Bundle): EngineStatus => ({
  state: 'fetching',
  progress: 1,
  message: `Unpacking ${bundle.label}; ${bundle.meanwhile}.`,
});

const notYet = (bundle: Bundle, reason: string): EngineStatus => ({
  state: 'failed',
  message: `${capital(bundle.label)} ${bundle.isPlural ? 'are' : 'is'} not here yet because ${reason}; it is tried again by itself and ${bundle.meanwhile}.`,
});

const here = ({ label, isPlural }: Bundle): EngineStatus => ({
  state: 'ready',
  message: `${capital(label)} ${isPlural ? 'are' : 'is'} here.`,
});

const fetching = (bundle: Bundle, received: number, total: number): EngineStatus => ({
  state: 'fetching',
  ...(total > 0 ? { progress: Math.min(1, received / total) } : {}),
  message: `Fetching ${bundle.label} (${megabytes(received)}${total > 0 ? ` of ${megabytes(total)}` : ''} MB); ${bundle.meanwhile}.`,
});

const megabytes = (bytes: number) => Math.round(bytes / MEGABYTE).toLocaleString('en-US');
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const closed = () => new EngineError('The server is closing.', { retryable: true });

/** The weights that a server with these engines needs and `modelsDir` lacks, by their names for people. */
export async function missingWeights({
  modelsDir,
  speechRecognition,
  speechSynthesis,
}: Pick<Config, 'modelsDir' | 'speechRecognition' | 'speechSynthesis'>): Promise<string[]> {
  const needed = [
    ...(speechSynthesis ? [] : [bundles.voice]),
    speechRecognition ? bundles.listening : bundles.hearing,
  ];
  const found = await Promise.all(
    needed.map(async (bundle) =>
      (await isWhole(join(modelsDir, bundle.folder), bundle)) ? [] : [bundle.label],
    ),
  );
  return found.flat();
}
