import type { Subscription } from './subscription.ts';
import type { StoredEvent } from './types.ts';

/** Waits before an event is tried again, in milliseconds; after the last it is passed over. */
const RETRIES_MS = [200, 1_000, 5_000, 15_000, 60_000];
/** Conversations that one subscriber has under way at once. */
const AT_ONCE = 4;
/** Events that wait for one subscriber in memory. */
const MOST_WAITING = 500;

interface DeliveryOptions {
  subscription: Subscription;
  /** Where it goes on: everything up to this was delivered. */
  position: number;
  signal: AbortSignal;
  retriesMs?: readonly number[] | undefined;
  /** An event was tried as often as events are, and is passed over. */
  onPassed(event: StoredEvent, error: unknown): void;
  /** Something was done: it may take more, or be done with all. */
  onProgress(): void;
}

/**
 * Hands events to one subscriber: those of one conversation one after the other, others beside them. An event that fails keeps
 * back its own conversation alone.
 */
export class Delivery {
  readonly name: string;
  readonly #options: DeliveryOptions;
  readonly #retriesMs: readonly number[];
  /** What waits or is under way, by conversation, oldest first. */
  readonly #lines = new Map<string, StoredEvent[]>();
  readonly #ready: string[] = [];
  /** Ids of what is not done, oldest first. */
  readonly #open = new Set<number>();
  #read: number;
  readonly #underWay = new Set<Promise<void>>();
  readonly #failures = new Map<number, number>();

  constructor(options: DeliveryOptions) {
    this.name = options.subscription.name;
    this.#options = options;
    this.#retriesMs = options.retriesMs ?? RETRIES_MS;
    this.#read = options.position;
  }

  /** The newest event that it was given. */
  get read(): number {
    return this.#read;
  }

  /** Everything up to this is done. */
  get position(): number {
    const [oldest] = this.#open;
    return oldest === undefined ? this.#read : oldest - 1;
  }

  get hasRoom(): boolean {
    return this.#open.size < MOST_WAITING;
  }

  /** Whether nothing waits, and nothing is under way. */
  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  /** Resolves when nothing is being done, once its signal has aborted. */
  async quiet(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Takes the next event. @param event null: this version does not know it */
  take(id: number, event: StoredEvent | null): void {
    this.#read = id;
    if (!event || !this.#options.subscription.types.includes(event.type)) return;
    this.#open.add(id);
    const line = event.conversationId ?? event.workspaceId;
    const waiting = this.#lines.get(line);
    if (waiting) waiting.push(event);
    else {
      this.#lines.set(line, [event]);
      this.#ready.push(line);
    }
    this.#goOn();
  }

  #goOn(): void {
    while (this.#underWay.size < AT_ONCE && !this.#options.signal.aborted) {
      const line = this.#ready.shift();
      if (line === undefined) return;
      const trying = this.#tryNext(line).finally(() => {
        this.#underWay.delete(trying);
        this.#goOn();
        this.#options.onProgress();
      });
      this.#underWay.add(trying);
    }
  }

  async #tryNext(line: string): Promise<void> {
    const { subscription, signal, onPassed } = this.#options;
    const [event] = this.#lines.get(line) ?? [];
    if (!event) return;
    try {
      await subscription.handle(event, signal);
    } catch (error) {
      if (signal.aborted) return;
      const failures = (this.#failures.get(event.id) ?? 0) + 1;
      const againMs = this.#retriesMs[failures - 1];
      if (againMs !== undefined) {
        this.#failures.set(event.id, failures);
        this.#later(line, againMs);
        return;
      }
      onPassed(event, error);
    }
    this.#done(line, event);
  }

  #done(line: string, event: StoredEvent): void {
    this.#open.delete(event.id);
    this.#failures.delete(event.id);
    const rest = this.#lines.get(line)?.slice(1) ?? [];
    if (rest.length === 0) this.#lines.delete(line);
    else {
      this.#lines.set(line, rest);
      this.#ready.push(line);
    }
  }

  #later(line: string, ms: number): void {
    setTimeout(() => {
      this.#ready.push(line);
      this.#goOn();
    }, ms).unref();
  }
}
