interface IndexingOptions {
  index(userId: string, agentId: string): Promise<void>;
  /** What comes so close together is indexed together, in milliseconds. */
  gatherMs: number;
  closing: AbortSignal;
  onFailure(error: unknown): void;
}

/** Indexes agents whose documents have changed: in a moment, with all that changes until then, and again if more changes meanwhile. */
export class Indexing {
  readonly #options: IndexingOptions;
  /** By agent: whether its documents changed again while they were indexed. */
  readonly #running = new Map<string, { again: boolean; done: Promise<void> }>();

  constructor(options: IndexingOptions) {
    this.#options = options;
  }

  soon(userId: string, agentId: string): void {
    const running = this.#running.get(agentId);
    if (running) {
      running.again = true;
      return;
    }
    const state = { again: false, done: Promise.resolve() };
    this.#running.set(agentId, state);
    state.done = this.#whileChanging(userId, agentId, state).finally(() => {
      this.#running.delete(agentId);
    });
  }

  /** What is under way; none rejects. */
  get running(): Promise<void>[] {
    return [...this.#running.values()].map(({ done }) => done);
  }

  async #whileChanging(userId: string, agentId: string, state: { again: boolean }): Promise<void> {
    const { index, gatherMs, closing, onFailure } = this.#options;
    do {
      await new Promise<void>((resolve) => setTimeout(resolve, gatherMs));
      state.again = false;
      if (closing.aborted) return;
      await index(userId, agentId).catch(onFailure);
    } while (state.again);
  }
}
