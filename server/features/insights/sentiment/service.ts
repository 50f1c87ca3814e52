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
  /** Lets only one instance relabel a user's conversations at a time. */
  sharedState: Pick<SharedState, 'take'>;
  /** Called with failures to log, which contain no customer words. */
  onFailure(error: unknown): void;
}

/** The label of a current conversation has changed. */
interface SentimentChange {
  conversationId: string;
  sentiment: Sentiment;
}

/** How long the end of a call may wait for the label of its last message. */
const SETTLING_MS = 1_000;

interface Run {
  result: Promise<number>;
  cancel: AbortController;
  /** Requests that wait for this run. */
  waiting: number;
}

/**
 * Labels conversations and customer messages: as they arrive, and all of them again on request. No call waits for it
 * longer than a moment, or fails with it.
 */
export class SentimentService {
  readonly #deps: SentimentDependencies;
  readonly #listeners = new Set<(change: SentimentChange) => void>();
  /** Conversations whose new messages are being labelled. `again`: one more has arrived meanwhile. */
  readonly #labelling = new Map<string, { done: Promise<void>; again: boolean }>();
  readonly #runs = new Map<string, Run>();
  readonly #closing = new AbortController();

  constructor(deps: SentimentDependencies) {
    this.#deps = deps;
    // Each conversation being labelled listens to it until it is done.
    setMaxListeners(0, this.#closing.signal);
  }

  /** Calls `listener` for every conversation whose label changes by a new message. */
  onChange(listener: (change: SentimentChange) => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Labels the new messages of a conversation, and the conversation.
   * @throws EngineError; AppError unavailable while the server closes
   */
  async label(scope: ContactScope, conversationId: string): Promise<void> {
    if (this.#closing.signal.aborted) throw restarting();
    await this.#label(scope, conversationId);
  }

  /** Resolves when the conversation has its final label, or after a time limit. Never rejects. */
  async settle(scope: ContactScope, conversationId: string): Promise<void> {
    if (!isUuid(conversationId) || this.#closing.signal.aborted) return;
    const labelled = this.#label(scope, conversationId).catch((error: unknown) => {
      if (!this.#closing.signal.aborted) this.#deps.onFailure(error);
    });
    await within(SETTLING_MS, labelled);
  }

  /**
   * Relabels all messages of the user's customers. A second request joins the running one.
   * @param signal stops waiting; without any waiting request the run ends
   * @returns the number of conversations with another label
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

  /** Stops current work; everything stored is complete. */
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
    // Waiting requests get the error; without any it needs no handling.
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

  /** One run per conversation at a time; messages that arrive meanwhile are labelled together after it. */
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
