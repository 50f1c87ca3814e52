import { defaultPreferences, type Preferences, type PreferencesChange } from '#shared/preferences';
import type { PreferencesRepository } from './repository.ts';

/**
 * What a user has settled for all their calls.
 *
 * Questions about one user that come while one is being answered share its answer, but nothing is remembered beyond that:
 * "do not keep my voice" must hold at once on every instance, and one row found by its key costs less than a message that
 * tells all instances to forget.
 */
export class PreferencesService {
  readonly #repository: PreferencesRepository;
  readonly #asked = new Map<string, Promise<Preferences>>();

  constructor(repository: PreferencesRepository) {
    this.#repository = repository;
  }

  /** What holds for a user now; the defaults for one who has settled nothing. */
  of(userId: string): Promise<Preferences> {
    const asked = this.#asked.get(userId);
    if (asked) return asked;
    const answer = this.#repository
      .find(userId)
      .then((settled) => settled ?? defaultPreferences)
      .finally(() => {
        if (this.#asked.get(userId) === answer) this.#asked.delete(userId);
      });
    this.#asked.set(userId, answer);
    return answer;
  }

  /** Changes what `change` names and leaves the rest. @returns all of them as they are now */
  async change(userId: string, change: PreferencesChange): Promise<Preferences> {
    const changed = await this.#repository.change(userId, change, defaultPreferences);
    // Whoever asks from here on must not share an answer that was looked up before.
    this.#asked.delete(userId);
    return changed;
  }
}
