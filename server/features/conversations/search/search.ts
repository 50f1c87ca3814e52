import { setTimeout as pause } from 'node:timers/promises';
import type { Scope } from '#server/lib/scope';
import { wantedWords } from '../search-words.ts';
import type { ListFilters, SearchRepository } from './repository.ts';

/** Conversations are indexed this long after a change, together, instead of with each message. */
const DELAY_MS = 5_000;
/** Small, so that a customer's message never waits long behind it in the embedded database. */
const AT_ONCE = 8;
const BREATH_MS = 20;
/**
 * A search first indexes at most this many conversations of its user. Only the first search after an upgrade can meet
 * more.
 */
const MOST_BEFORE_SEARCH = 400;

/** Finds conversations by words in titles and messages, including the latest ones. */
export class ConversationSearch {
  readonly #repository: SearchRepository;
  #due: NodeJS.Timeout | null = null;

  constructor(repository: SearchRepository) {
    this.#repository = repository;
    // Indexes what the last process, or an upgrade, left.
    this.changed();
  }

  /** Ids of the newest conversations in scope with every word of `search`; none if it has no word. */
  async find(scope: Scope, search: string, filters: ListFilters, limit: number): Promise<string[]> {
    const wanted = wantedWords(search);
    if (wanted === null) return [];
    for (let written = 0; written < MOST_BEFORE_SEARCH; written += AT_ONCE)
      if ((await this.#repository.refresh(scope, AT_ONCE)) < AT_ONCE) break;
    return this.#repository.find(scope, wanted, filters, limit);
  }

  /** A message or title was stored: indexes it soon. */
  changed(): void {
    this.#due ??= setTimeout(() => void this.#catchUp(), DELAY_MS).unref();
  }

  async #catchUp(): Promise<void> {
    try {
      while ((await this.#repository.refresh(null, AT_ONCE)) === AT_ONCE) await pause(BREATH_MS);
    } catch {
      // It stays marked; a search indexes it itself, and reports that failure.
    } finally {
      this.#due = null;
    }
  }
}
