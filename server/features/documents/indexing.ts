import { FairTurns, type QueuedWork } from '#server/lib/fair-turns';

/** Agents indexed at once. */
const TURNS = { places: 4, placesPerAccount: 1, patientPlaces: 1 };

interface IndexingOptions {
  index(workspaceId: string, agentId: string): Promise<void>;
  /** Changes within this time are indexed together, in milliseconds. */
  gatherMs: number;
  closing: AbortSignal;
  onFailure(error: unknown): void;
}

interface State {
  work: QueuedWork;
  /** The documents changed again during indexing. */
  again: boolean;
  done: Promise<void>;
}

/**
 * Indexes agents whose documents have changed: gathers changes for a moment, and repeats if more come meanwhile.
 * Accounts take turns.
 */
export class Indexing {
  readonly #options: IndexingOptions;
  readonly #turns = new FairTurns(TURNS);
  /** By agent. */
  readonly #running = new Map<string, State>();

  constructor(options: IndexingOptions) {
    this.#options = options;
  }

  /** @returns once the agent is indexed, or indexing failed; never rejects */
  soon(work: QueuedWork, agentId: string): Promise<void> {
    const running = this.#running.get(agentId);
    if (running) {
      running.again = true;
      if (!work.isPatient) this.#turns.hurry(running.work);
      return running.done;
    }
    const state: State = { work: { ...work }, again: false, done: Promise.resolve() };
    this.#running.set(agentId, state);
    state.done = this.#whileChanging(agentId, state).finally(() => {
      this.#running.delete(agentId);
    });
    return state.done;
  }

  /** Current work; none rejects. */
  get running(): Promise<void>[] {
    return [...this.#running.values()].map(({ done }) => done);
  }

  async #whileChanging(agentId: string, state: State): Promise<void> {
    const { index, gatherMs, closing, onFailure } = this.#options;
    const { work } = state;
    do {
      await new Promise<void>((resolve) => setTimeout(resolve, gatherMs));
      if (closing.aborted) return;
      const indexNow = () => {
        state.again = false;
        return index(work.account, agentId).catch(onFailure);
      };
      // The next start takes it up again.
      await this.#turns.run(work, indexNow, closing).catch(() => {});
    } while (state.again && !closing.aborted);
  }
}
