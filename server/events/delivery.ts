import type { Subscription } from './subscription.ts';
import type { StoredEvent } from './types.ts';

/** Waits before retries of an event, in milliseconds; after the last retry it is skipped. */
const RETRIES_MS = [200, 1_000, 5_000, 15_000, 60_000];
/** Conversations that one subscriber handles at once. */
const AT_ONCE = 4;
/** Events that wait for one subscriber in memory. */
const MOST_WAITING = 500;

interface DeliveryOptions {
  subscription: Subscription;
  /** The start: every event up to this was delivered. */
  position: number;
  signal: AbortSignal;
  retriesMs?: readonly number[] | undefined;
  /** Called when an event has used up its retries and is skipped. */
  onPassed(event: StoredEvent, error: unknown): void;
  /** Called after an event: the delivery may take more, or may be finished. */
  onProgress(): void;
}

/**
 * Delivers events to one subscriber: in order within a conversation, in parallel across conversations. A failing event
 * delays only its own conversation.
 */
export class Delivery {
  readonly name: string;
  readonly #options: DeliveryOptions;
  readonly #retriesMs: readonly number[];
  /** Waiting and running events by conversation, oldest first. */
  readonly #lines = new Map<string, StoredEvent[]>();
  readonly #ready: string[] = [];
  /** Ids of unfinished events, oldest first. */
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

  /** The newest event received. */
  get read(): number {
    return this.#read;
  }

  /** Every event up to this is finished. */
  get position(): number {
    const [oldest] = this.#open;
    return oldest === undefined ? this.#read : oldest - 1;
  }

  get hasRoom(): boolean {
    return this.#open.size < MOST_WAITING;
  }

  /** Whether no event waits or runs. */
  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  /** Resolves when no event is running, after its signal has aborted. */
  async quiet(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Takes the next event. @param event null if this version does not know its type */
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
