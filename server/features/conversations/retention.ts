import type { ContactScope } from '#server/lib/scope';
import type { OldConversation } from './repository.ts';

interface RetentionDependencies {
  /** Null: they stay until they are deleted by hand. */
  days: number | null;
  repository: {
    /** Conversations without a message since then, longest ago first. */
    quietSince(moment: Date, limit: number): Promise<OldConversation[]>;
  };
  /** Deletes a conversation with all its data. */
  delete(scope: ContactScope, id: string): Promise<void>;
  onFailure(error: unknown): void;
  now?(): number;
}

const DAY_MS = 24 * 60 * 60_000;
/** Deleted in a row before other work uses the database. */
const BATCH = 100;

/**
 * Deletes conversations after the operator's retention period since their last message, with recordings and search
 * words.
 */
export class Retention {
  readonly #deps: RetentionDependencies;
  #running: Promise<void> | null = null;
  #isStopped = false;

  constructor(deps: RetentionDependencies) {
    this.#deps = deps;
  }

  /** Deletes all overdue conversations; a second call joins a running one. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#go()
      .catch((error: unknown) => this.#deps.onFailure(error))
      .finally(() => {
        this.#running = null;
      });
    return this.#running;
  }

  /** Ends after the current conversation. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #go(): Promise<void> {
    const { days, repository, now = Date.now } = this.#deps;
    if (days === null) return;
    /** A failed deletion is retried next time, not in this run. */
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
