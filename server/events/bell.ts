import { z } from 'zod';
import type { SharedState } from '#server/engines/shared-state/contract';

const WRITTEN = 'events written';

/**
 * Signals stored events: here at once, to other instances as soon as they can be reached. Readers also poll by
 * themselves.
 */
export class Bell {
  readonly #others: Pick<SharedState, 'tell'>;
  readonly #listeners = new Set<() => void>();

  constructor(others: Pick<SharedState, 'tell' | 'hear'>) {
    this.#others = others;
    others.hear(WRITTEN, z.null(), () => this.#tellListeners());
  }

  /** Call after a transaction that wrote events has ended. */
  readonly ring = (): void => {
    this.#tellListeners();
    this.#others.tell(WRITTEN, null);
  };

  /** @param listener must not throw */
  onRing(listener: () => void): void {
    this.#listeners.add(listener);
  }

  #tellListeners(): void {
    for (const listener of this.#listeners) listener();
  }
}
