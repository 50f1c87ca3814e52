import { validate as isUuid } from 'uuid';
import type { MediaStore } from '#server/engines/storage/contract';
import type { RecordingsRepository } from './repository.ts';

interface SweepDependencies {
  repository: RecordingsRepository;
  store: MediaStore;
  namespace: string;
  onFailure(what: 'sweep', error: unknown): void;
  now(): number;
}

/** Younger bytes may still be on their way to their row: no request takes as long. */
const SETTLED_MS = 10 * 60_000;
/** A recording without a message by then belongs to none. */
const WAITING_MS = 24 * 60 * 60_000;
const BATCH = 500;

/**
 * Deletes leftovers of a killed process or an unavailable store: bytes without a row, partly written files. Looks only
 * at keys made by this server.
 */
export class Sweep {
  readonly #deps: SweepDependencies;
  #running: Promise<void> | null = null;
  #isStopped = false;

  constructor(deps: SweepDependencies) {
    this.#deps = deps;
  }

  /** Goes through everything once; a second call joins a running one. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#go()
      .catch((error: unknown) => {
        if (!this.#isStopped) this.#deps.onFailure('sweep', error);
      })
      .finally(() => {
        this.#running = null;
      });
    return this.#running;
  }

  /** Ends after the current batch. */
  stop(): void {
    this.#isStopped = true;
  }

  async #go(): Promise<void> {
    const { repository, store, namespace, now } = this.#deps;
    if (this.#isStopped) return;
    for (const key of await repository.deleteWaiting(new Date(now() - WAITING_MS))) await store.delete(key);
    let batch: { key: string; id: string }[] = [];
    for await (const key of store.list(`${namespace}/`)) {
      if (this.#isStopped) return;
      const id = this.#settledId(key);
      if (!id) continue;
      batch.push({ key, id });
      if (batch.length < BATCH) continue;
      await this.#removeOrphans(batch);
      batch = [];
    }
    await this.#removeOrphans(batch);
  }

  async #removeOrphans(batch: readonly { key: string; id: string }[]): Promise<void> {
    const known = await this.#deps.repository.knownKeys(batch.map(({ id }) => id));
    for (const { key } of batch) if (!known.has(key) && !this.#isStopped) await this.#deps.store.delete(key);
  }

  /** The recording id of a key, if it is old enough: a UUIDv7 begins with its milliseconds. */
  #settledId(key: string): string | null {
    const id = key.split('/').at(-1)?.slice(0, 36) ?? '';
    if (!isUuid(id)) return null;
    const madeAt = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
    return madeAt < this.#deps.now() - SETTLED_MS ? id : null;
  }
}
