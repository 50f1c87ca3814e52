import type { ContactScope } from '#server/lib/scope';
import type { OldConversation } from './repository.ts';

interface RetentionDependencies {
  /** Null: they stay until somebody deletes them. */
  days: number | null;
  repository: {
    /** Conversations in which nothing was said since then, longest ago first. */
    quietSince(moment: Date, limit: number): Promise<OldConversation[]>;
  };
  /** Deletes a conversation with all that belongs to it. */
  delete(scope: ContactScope, id: string): Promise<void>;
  onFailure(error: unknown): void;
  now?(): number;
}

const DAY_MS = 24 * 60 * 60_000;
/** Deleted in a row; then others get their turn at the database. */
const BATCH = 100;

/** Deletes conversations as long after their last word as the operator settled, recordings and search words with them. */
export class Retention {
  readonly #deps: RetentionDependencies;
  #running: Promise<void> | null = null;
  #isStopped = false;

  constructor(deps: RetentionDependencies) {
    this.#deps = deps;
  }

  /** Deletes all that is overdue; while it runs a second call joins it. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#go()
      .catch((error: unknown) => this.#deps.onFailure(error))
      .finally(() => {
        this.#running = null;
      });
    return this.#running;
  }

  /** Ends after the conversation that is being deleted. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #go(): Promise<void> {
    const { days, repository, now = Date.now } = this.#deps;
    if (days === null) return;
    /** What could not be deleted is tried again next time, not for ever. */
    const failed = new Set<string>();
    for (;;) {
      const overdue = await repository.quietSince(new Date(now() - days * DAY_MS), BATCH + failed.size);
      const next = overdue.filter(({ id }) => !failed.has(id));
      if (next.length === 0) return;
      for (const { id, ...scope } of next) {
        if (this.#isStopped) return;
        await this.#deps.delete(scope, id).catch((error: unknown) => {
          failed.add(id);
          this.#deps.onFailure(error);
        });
      }
    }
  }
}
