import { setImmediate as breathe } from 'node:timers/promises';
import type { Scope } from '#server/lib/scope';
import type { ConversationsRepository, SaidMessage } from './repository.ts';

/** Some 8 ms of this thread, from the database's bytes to messages. */
const MESSAGES_AT_ONCE = 250;

/**
 * Messages of conversations, read in pieces, so that calls continue in between, however much is requested. Each piece
 * has its own round of the event loop.
 */
export class Transcripts {
  readonly #repository: Pick<ConversationsRepository, 'messagesOf'>;
  #rounds: Promise<void> = Promise.resolve();

  constructor(repository: Pick<ConversationsRepository, 'messagesOf'>) {
    this.#repository = repository;
  }

  /** Oldest first. */
  async of(scope: Scope, conversationIds: readonly string[]): Promise<SaidMessage[]> {
    const all: SaidMessage[] = [];
    for (;;) {
      await this.#nextRound();
      const last = all.at(-1)?.id ?? null;
      const piece = await this.#repository.messagesOf(scope, conversationIds, MESSAGES_AT_ONCE, last);
      all.push(...piece);
      if (piece.length < MESSAGES_AT_ONCE) break;
    }
    // The caller's work on the result is a piece, too.
    await this.#nextRound();
    return all;
  }

  #nextRound(): Promise<void> {
    this.#rounds = this.#rounds.then(() => breathe());
    return this.#rounds;
  }
}
