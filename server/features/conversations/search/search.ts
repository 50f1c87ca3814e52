import { setTimeout as pause } from 'node:timers/promises';
import type { Scope } from '#server/lib/scope';
import { wantedWords } from '../search-words.ts';
import type { ListFilters, SearchRepository } from './repository.ts';

/** Conversations are written into the index this long after a change, together, instead of with each of their messages. */
const DELAY_MS = 5_000;
/** Small, so that a customer's message never waits long behind it in the embedded database. */
const AT_ONCE = 8;
const BREATH_MS = 20;
/** Who searches waits for at most this many of their own. Only the first search after an upgrade can meet more. */
const MOST_BEFORE_SEARCH = 400;

/** Finds conversations by the words in their titles and messages, including what was said a moment ago. */
export class ConversationSearch {
  readonly #repository: SearchRepository;
  #due: NodeJS.Timeout | null = null;

  constructor(repository: SearchRepository) {
    this.#repository = repository;
    // What the last process left, or an upgrade.
    this.changed();
  }

  /** Ids of the newest conversations in scope that hold every word of `search`; none when no word is in it. */
  async find(scope: Scope, search: string, filters: ListFilters, limit: number): Promise<string[]> {
    const wanted = wantedWords(search);
    if (wanted === null) return [];
    for (let written = 0; written < MOST_BEFORE_SEARCH; written += AT_ONCE)
      if ((await this.#repository.refresh(scope, AT_ONCE)) < AT_ONCE) break;
    return this.#repository.find(scope, wanted, filters, limit);
  }

  /** Something was said, or a title given: writes it into the index soon. */
  changed(): void {
    this.#due ??= setTimeout(() => void this.#catchUp(), DELAY_MS).unref();
  }

  async #catchUp(): Promise<void> {
    try {
      while ((await this.#repository.refresh(null, AT_ONCE)) === AT_ONCE) await pause(BREATH_MS);
    } catch {
      // It stays marked; a search writes it itself, and whoever searches sees that failure.
    } finally {
      this.#due = null;
    }
  }
}
