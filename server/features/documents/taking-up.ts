import type { QueuedWork } from '#server/lib/fair-turns';
import { sentenceOf } from '#shared/refusals/refusal';
import type { Indexing } from './indexing.ts';
import type { PagesLine } from './pages-line.ts';
import type { DocumentsRepository, WaitingDocument } from './repository.ts';

/** Documents of one account taken up together. */
const AT_ONCE = 20;

interface TakingUpOptions {
  repository: Pick<DocumentsRepository, 'whoWaits' | 'waiting' | 'due' | 'setWaiting' | 'setProblem'>;
  pages: Pick<PagesLine, 'soon'>;
  indexing: Pick<Indexing, 'soon'>;
  closing: AbortSignal;
  onFailure(error: unknown): void;
}

/**
 * Background reading: readings cut off when a server stopped, and pages that are due. Queues only a few documents of
 * each account at a time, however many there are.
 */
export class TakingUp {
  readonly #options: TakingUpOptions;
  /** By account. None rejects. */
  readonly #accounts = new Map<string, Promise<void>>();

  constructor(options: TakingUpOptions) {
    this.#options = options;
  }

  /** Starts with every account that has such documents, and continues by itself. Never rejects. */
  async begin(at: Date): Promise<void> {
    const { repository, onFailure } = this.#options;
    try {
      for (const account of await repository.whoWaits(at)) {
        if (this.#accounts.has(account)) continue;
        const done = this.#takeUp(account, at)
          .catch(onFailure)
          .finally(() => this.#accounts.delete(account));
        this.#accounts.set(account, done);
      }
    } catch (error) {
      onFailure(error);
    }
  }

  /** Current work; none rejects. */
  get running(): Promise<void>[] {
    return [...this.#accounts.values()];
  }

  async #takeUp(workspaceId: string, at: Date): Promise<void> {
    const { repository, pages, closing } = this.#options;
    const work = { account: workspaceId, isPatient: true };
    const scope = { workspaceId, contactId: null };
    let last: string | null = null;
    do {
      const some: WaitingDocument[] = await repository.waiting(scope, last, AT_ONCE);
      await Promise.all(some.map((document) => this.#goOn(work, document)));
      last = some.at(-1)?.id ?? null;
    } while (last && !closing.aborted);
    while (!closing.aborted) {
      const due = await repository.due(scope, at, AT_ONCE);
      if (due.length === 0) return;
      for (const id of due) await repository.setWaiting(scope, id, at);
      await Promise.all(due.map((id) => pages.soon(work, id)));
    }
  }

  async #goOn(work: QueuedWork, { id, kind, isRead, agentIds }: WaitingDocument): Promise<void> {
    const { repository, pages, indexing } = this.#options;
    if (isRead) await Promise.all(agentIds.map((agentId) => indexing.soon(work, agentId)));
    else if (kind === 'page') await pages.soon(work, id);
    else {
      const problem = sentenceOf('documents.reading-stopped');
      await repository.setProblem({ workspaceId: work.account, contactId: null }, id, problem);
    }
  }
}
