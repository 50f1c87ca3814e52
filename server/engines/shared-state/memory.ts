import { memoryLimiters } from '#server/lib/rate-limits';
import type { Seat, SharedState } from './contract.ts';

/** State shared by instances in one process. */
class Hub {
  states = 0;
  readonly seats = new Map<string, number>();
  readonly listeners = new Set<{ owner: object; topic: string; hear(payload: unknown): void }>();
}

/** State in one process: for a single instance, and as the fallback while a shared server is unreachable. */
export class MemoryState implements SharedState {
  readonly limiters = memoryLimiters;
  readonly #hub: Hub;

  /** @param beside another instance's state in the same process; shares everything with it except limiters */
  constructor(beside?: MemoryState) {
    this.#hub = beside ? beside.#hub : new Hub();
    this.#hub.states += 1;
  }

  get isShared(): boolean {
    return this.#hub.states > 1;
  }

  status: SharedState['status'] = () => ({ state: 'ready', message: 'This instance is alone.' });

  async take(name: string, max: number): Promise<Seat | null> {
    const { seats } = this.#hub;
    const taken = seats.get(name) ?? 0;
    if (taken >= max) return null;
    seats.set(name, taken + 1);
    let isTaken = true;
    return {
      lost: new AbortController().signal,
      release() {
        if (!isTaken) return;
        isTaken = false;
        const left = (seats.get(name) ?? 1) - 1;
        if (left > 0) seats.set(name, left);
        else seats.delete(name);
      },
    };
  }

  tell(topic: string, payload: unknown): void {
    const told = JSON.stringify(payload);
    for (const listener of this.#hub.listeners)
      if (listener.topic === topic && listener.owner !== this)
        queueMicrotask(() => listener.hear(JSON.parse(told)));
  }

  hear: SharedState['hear'] = (topic, schema, listener) => {
    this.#hub.listeners.add({
      owner: this,
      topic,
      hear(payload) {
        const heard = schema.safeParse(payload);
        if (heard.success) listener(heard.data);
      },
    });
  };

  /** Never called: memory is never away. */
  onMissed(): void {}

  async close(): Promise<void> {
    for (const listener of this.#hub.listeners)
      if (listener.owner === this) this.#hub.listeners.delete(listener);
  }
}
