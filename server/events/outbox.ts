import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#server/database/open';
import { whereRoom } from '#server/lib/database-away';
import { within } from '#server/lib/wait';
import type { Bell } from './bell.ts';
import { Delivery } from './delivery.ts';
import type { EventsRepository, Lag } from './repository.ts';
import { Settled } from './settled.ts';
import type { Subscription } from './subscription.ts';
import type { EventType } from './types.ts';

interface OutboxOptions {
  repository: EventsRepository;
  bell: Pick<Bell, 'onRing'>;
  alone: Database['alone'];
  subscriptions: readonly Subscription[];
  /** Called for events that a subscriber could not handle, and for failed reading. */
  onFailure(about: { subscriber?: string; event?: EventType }, error: unknown): void;
  /** Waits before an event is tried again; see `Delivery`. */
  retriesMs?: readonly number[];
}

/** Polling interval without a ring: an instance may write without being able to signal it. */
const LOOK_MS = 2_000;
/** Polling interval while transactions that write events are open. */
const OPEN_MS = 20;
/** How soon another instance takes over from a lost one. */
const TAKE_OVER_MS = 2_000;
/** Events delivered within this time are delivered again after a kill: positions are not stored with each event. */
const STORE_MS = 1_000;
/** Time for running handlers when this instance stops reading. */
const ENDING_MS = 5_000;
const BATCH = 200;
const KEPT_HOURS = 24;

/**
 * Reads stored events and delivers them to subscribers, on one instance at a time. See
 * docs/decisions/2026-11-27-events-in-the-database.md.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #closing = new AbortController();
  readonly #names: readonly string[];
  #standing: Promise<void> | null = null;
  /** Events may have been stored since the last read. */
  #isRung = false;
  /** Woken since the last look. */
  #isWoken = false;
  #isFailing = false;
  #goOn = () => {};
  #idleListeners: (() => void)[] = [];

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#names = options.subscriptions.map(({ name }) => name);
    options.bell.onRing(() => this.#look());
  }

  /** Starts reading, here or once the reading instance is gone. */
  async start(): Promise<void> {
    // Creates the positions first, so that no later event is missed, whichever instance reads.
    await this.#options.repository.positions(this.#names);
    this.#standing ??= this.#stand();
  }

  /** Stops reading. Unfinished events are delivered again by the next reader. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('Sigma is closing.'));
    await this.#standing;
  }

  /** Resolves once this instance has delivered all events stored so far. */
  async idle(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#idleListeners.push(resolve);
      this.#look();
    });
  }

  /** Deletes events that every subscriber has read, a day later. */
  removeOld(): Promise<void> {
    return this.#options.repository.removeRead(this.#names, KEPT_HOURS);
  }

  lag(): Promise<Lag[]> {
    return this.#options.repository.lag();
  }

  #look(): void {
    this.#isRung = true;
    this.#wake();
  }

  #wake(): void {
    this.#isWoken = true;
    this.#goOn();
  }

  async #stand(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#options
        .alone('events', (lost) => this.#lead(AbortSignal.any([lost, signal])))
        .catch((error: unknown) => {
          if (!signal.aborted && !this.#isFailing) this.#options.onFailure({}, error);
          this.#isFailing = true;
        });
      await pause(TAKE_OVER_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Reads until the signal aborts. @throws errors of reading: it then restarts from the stored positions */
  async #lead(given: AbortSignal): Promise<void> {
    const { repository, subscriptions } = this.#options;
    const ending = new AbortController();
    const signal = AbortSignal.any([given, ending.signal]);
    const positions = new Map(await repository.positions(this.#names));
    for (const each of subscriptions) await each.begin?.(signal);
    const deliveries = subscriptions.map((each) =>
      this.#deliver(each, positions.get(each.name) ?? 0, signal),
    );
    try {
      await this.#readOn(deliveries, positions, signal);
    } finally {
      ending.abort(given.reason ?? new Error('Events could not be read.'));
      // Another instance should not start before this one is finished; when Sigma closes, the handlers are closed next.
      if (!this.#closing.signal.aborted)
        await within(ENDING_MS, Promise.all(deliveries.map((each) => each.quiet())));
      await whereRoom(() => this.#store(deliveries, positions)).catch(() => {});
    }
  }

  #deliver(subscription: Subscription, position: number, signal: AbortSignal): Delivery {
    const { onFailure, retriesMs } = this.#options;
    return new Delivery({
      ...{ subscription, position, signal, retriesMs },
      onPassed: ({ type }, error) => onFailure({ subscriber: subscription.name, event: type }, error),
      onProgress: () => this.#wake(),
    });
  }

  async #readOn(deliveries: readonly Delivery[], positions: Map<string, number>, signal: AbortSignal) {
    const { repository } = this.#options;
    const settled = new Settled();
    let lookedAt = Number.NEGATIVE_INFINITY;
    let storedAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      const asked = new Set(this.#idleListeners);
      this.#isWoken = false;
      const everyMs = settled.isWaiting ? OPEN_MS : LOOK_MS;
      if (this.#isRung || performance.now() - lookedAt >= everyMs) {
        this.#isRung = false;
        settled.see(await repository.horizon());
        this.#isFailing = false;
        lookedAt = performance.now();
      }
      while (await this.#readSome(deliveries, settled.upTo)) signal.throwIfAborted();
      const isIdle = !settled.isWaiting && deliveries.every((each) => each.isIdle);
      if (performance.now() - storedAt >= STORE_MS || (isIdle && asked.size > 0)) {
        await whereRoom(() => this.#store(deliveries, positions));
        storedAt = performance.now();
      }
      if (isIdle) this.#tellIdle(asked);
      await this.#untilWoken(Math.min(everyMs, STORE_MS), signal);
    }
  }

  /** Delivers some settled events. @returns whether there were any */
  async #readSome(deliveries: readonly Delivery[], settled: number): Promise<boolean> {
    const reading = deliveries.filter((each) => each.hasRoom && each.read < settled);
    if (reading.length === 0) return false;
    const after = Math.min(...reading.map(({ read }) => read));
    const rows = await this.#options.repository.read(after, settled, BATCH);
    for (const each of reading) {
      for (const { id, event } of rows) if (id > each.read) each.take(id, event);
      if (rows.length < BATCH) each.take(settled, null);
    }
    return true;
  }

  async #store(deliveries: readonly Delivery[], positions: Map<string, number>): Promise<void> {
    const moved = deliveries.filter(({ name, position }) => position > (positions.get(name) ?? 0));
    if (moved.length === 0) return;
    const now = new Map(moved.map(({ name, position }) => [name, position]));
    await this.#options.repository.moveTo(now);
    for (const [name, position] of now) positions.set(name, position);
  }

  #tellIdle(asked: ReadonlySet<() => void>): void {
    this.#idleListeners = this.#idleListeners.filter((each) => !asked.has(each));
    for (const tell of asked) tell();
  }

  async #untilWoken(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#isWoken || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.#goOn = () => {
        clearTimeout(timer);
        resolve();
      };
      signal.addEventListener('abort', this.#goOn, { once: true });
    });
    signal.removeEventListener('abort', this.#goOn);
    this.#goOn = () => {};
  }
}
