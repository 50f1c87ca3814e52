import type { RoomEvent } from './contract.ts';

export class RoomListeners {
  readonly #listeners = new Set<(event: RoomEvent) => void>();

  /** @returns unsubscribes */
  add(listener: (event: RoomEvent) => void): () => void {
    // Wrapped, so that a function added twice is two listeners.
    const own = (event: RoomEvent) => listener(event);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  tell(event: RoomEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  clear(): void {
    this.#listeners.clear();
  }
}
