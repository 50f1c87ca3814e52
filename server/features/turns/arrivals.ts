import { KeyedLock } from './keyed-lock.ts';

/** Serialises changes of a conversation in their order of arrival; counts messages on their way in. */
export class Arrivals {
  readonly #locks = new KeyedLock();
  readonly #counts = new Map<string, number>();
  readonly #underWay = new Set<Promise<unknown>>();

  /** Runs a task while no other stores in, or joins, this conversation. */
  exclusively<T>(conversationId: string, task: () => Promise<T>): Promise<T> {
    return this.#locks.run(conversationId, task);
  }

  /** As `exclusively`, counted as a message that has arrived and is not stored yet. */
  async admit<T>(conversationId: string, task: () => Promise<T>): Promise<T> {
    this.#counts.set(conversationId, this.countOf(conversationId) + 1);
    const admission = this.exclusively(conversationId, task);
    this.#underWay.add(admission);
    try {
      return await admission;
    } finally {
      this.#underWay.delete(admission);
      const left = this.countOf(conversationId) - 1;
      if (left > 0) this.#counts.set(conversationId, left);
      else this.#counts.delete(conversationId);
    }
  }

  countOf(conversationId: string): number {
    return this.#counts.get(conversationId) ?? 0;
  }

  /** Resolves once every arrived message is stored or refused. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }
}
