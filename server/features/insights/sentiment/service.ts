import { setMaxListeners } from 'node:events';
import { validate as isUuid } from 'uuid';
import type { SentimentEngine } from '#server/engines/sentiment/contract';
import { type SharedState, untilItsOurs } from '#server/engines/shared-state/contract';
import { restarting } from '#server/lib/errors';
import { accountOf, type ContactScope } from '#server/lib/scope';
import { untilAborted, within } from '#server/lib/wait';
import type { Sentiment } from '#shared/conversations';
import { isLabelledSo, reanalyze } from './reanalysis.ts';
import type { SentimentRepository } from './repository.ts';
import { COUNTED_MESSAGES, felt, standingOf } from './standing.ts';

interface SentimentDependencies {
  engine: SentimentEngine;
  repository: SentimentRepository;
  /** A user's conversations are labelled anew by one instance at a time. */
  sharedState: Pick<SharedState, 'take'>;
  /** Told of failures that are worth a look; what customers said is not in them. */
  onFailure(error: unknown): void;
}

/** A conversation's label has changed while it was going on. */
interface SentimentChange {
  conversationId: string;
  sentiment: Sentiment;
}

/** How long ending a call may wait for the label of its last message. */
const SETTLING_MS = 1_000;

interface Run {
  result: Promise<number>;
  cancel: AbortController;
  /** How many requests wait for it. */
  waiting: number;
}

/**
 * Keeps the labels of conversations and of what customers say in them: as it arrives, and for everything again when asked.
 * No call ever waits for it, or fails with it.
 */
export class SentimentService {
  readonly #deps: SentimentDependencies;
  readonly #listeners = new Set<(change: SentimentChange) => void>();
  /** Conversations whose new messages are being labelled. `again`: one more has come meanwhile. */
  readonly #labelling = new Map<string, { done: Promise<void>; again: boolean }>();
  readonly #runs = new Map<string, Run>();
  readonly #closing = new AbortController();

  constructor(deps: SentimentDependencies) {
    this.#deps = deps;
    // Every conversation that is being labelled listens to it, and leaves it when it is done.
    setMaxListeners(0, this.#closing.signal);
  }

  /** Tells `listener` of every conversation whose label changes because of a new message. */
  onChange(listener: (change: SentimentChange) => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Labels what is new of a conversation, and the conversation with it.
   * @throws EngineError; AppError unavailable while the server closes
   */
  async label(scope: ContactScope, conversationId: string): Promise<void> {
    if (this.#closing.signal.aborted) throw restarting();
    await this.#label(scope, conversationId);
  }

  /** Resolves when the conversation has the label it ends with, or when that takes too long. Never rejects. */
  async settle(scope: ContactScope, conversationId: string): Promise<void> {
    if (!isUuid(conversationId) || this.#closing.signal.aborted) return;
    const labelled = this.#label(scope, conversationId).catch((error: unknown) => {
      if (!this.#closing.signal.aborted) this.#deps.onFailure(error);
    });
    await within(SETTLING_MS, labelled);
  }

  /**
   * Labels everything the user's customers ever said anew. A second request while it runs waits for the same run.
   * @param signal gives up waiting; when nobody waits any more, the run ends
   * @returns how many conversations got another label
   * @throws AppError unavailable while the server closes; EngineError; the signal's reason
   */
  async reanalyze(scope: ContactScope, signal?: AbortSignal): Promise<number> {
    if (this.#closing.signal.aborted) throw restarting();
    signal?.throwIfAborted();
    const run = this.#runs.get(accountOf(scope)) ?? this.#start(scope);
    run.waiting++;
    try {
      return await untilAborted(run.result, signal);
    } finally {
      run.waiting--;
      if (run.waiting === 0) run.cancel.abort(new Error('Nobody waits for the reanalysis any more.'));
    }
  }

  /** Ends what is under way; what is stored is whole. */
  async close(): Promise<void> {
    this.#closing.abort(restarting());
    for (const { cancel } of this.#runs.values()) cancel.abort(restarting());
    await Promise.allSettled([
      ...[...this.#runs.values()].map(({ result }) => result),
      ...[...this.#labelling.values()].map(({ done }) => done),
    ]);
  }

  #start(scope: ContactScope): Run {
    const cancel = new AbortController();
    const result = this.#reanalyzeAlone(scope, cancel.signal).finally(() => {
      if (this.#runs.get(accountOf(scope)) === run) this.#runs.delete(accountOf(scope));
    });
    // Whoever waits hears of it; when nobody does any more, nobody needs to.
    result.catch(() => {});
    cancel.signal.addEventListener('abort', () => {
      if (this.#runs.get(accountOf(scope)) === run) this.#runs.delete(accountOf(scope));
    });
    const run: Run = { result, cancel, waiting: 0 };
    this.#runs.set(accountOf(scope), run);
    return run;
  }

  async #reanalyzeAlone(scope: ContactScope, signal: AbortSignal): Promise<number> {
    const seat = await untilItsOurs(this.#deps.sharedState, `reanalysis of ${accountOf(scope)}`, signal);
    try {
      return await reanalyze(this.#deps, scope, signal);
    } finally {
      seat.release();
    }
  }

  /** One at a time per conversation; messages that come meanwhile are labelled together after it. */
  #label(scope: ContactScope, conversationId: string): Promise<void> {
    const running = this.#labelling.get(conversationId);
    if (running) {
      running.again = true;
      return running.done;
    }
    const work = { done: Promise.resolve(), again: true };
    work.done = (async () => {
      while (work.again) {
        work.again = false;
        await this.#labelNewest(scope, conversationId);
      }
    })().finally(() => this.#labelling.delete(conversationId));
    this.#labelling.set(conversationId, work);
    return work.done;
  }

  async #labelNewest(scope: ContactScope, conversationId: string): Promise<void> {
    const { engine, repository } = this.#deps;
    const { signal } = this.#closing;
    const messages = await repository.newestMessages(scope, conversationId, COUNTED_MESSAGES);
    const isNew = messages.filter(({ label }) => label === null);
    const found = await engine.analyse(
      isNew.map(({ content }) => content),
      signal,
    );
    const labels = new Map(isNew.flatMap(({ id }, i) => (found[i] ? [[id, found[i]] as const] : [])));
    await repository.labelMessages(
      scope,
      [...labels].map(([id, label]) => ({ id, ...label })),
    );
    const standing = standingOf(
      messages.flatMap(({ id, content, label, score }) => {
        const stored = label === null ? null : { label, score: score ?? 0 };
        const now = labels.get(id) ?? stored;
        return now ? [felt(content, now)] : [];
      }),
    );
    const before = await repository.conversation(scope, conversationId);
    if (!before || isLabelledSo(before, standing)) return;
    const changed = await repository.labelConversations(scope, [{ id: conversationId, ...standing }]);
    if (changed.length === 0) return;
    for (const listener of this.#listeners) listener({ conversationId, sentiment: standing.label });
  }
}
