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
  readonly #policy: { audioStaysHere: boolean };
  readonly #asked = new Map<string, Promise<Preferences>>();

  /** @param policy what the operator settled for everybody, whatever a user wants */
  constructor(repository: PreferencesRepository, policy = { audioStaysHere: false }) {
    this.#repository = repository;
    this.#policy = policy;
  }

  /** What holds for a user now; the defaults for one who has settled nothing. */
  of(userId: string): Promise<Preferences> {
    const asked = this.#asked.get(userId);
    if (asked) return asked;
    const answer = this.#repository
      .find(userId)
      .then((settled) => this.#allowed(settled ?? defaultPreferences))
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
    return this.#allowed(changed);
  }

  /** A wish that the operator does not allow is kept, and holds again once they do. */
  #allowed(settled: Preferences): Preferences {
    return this.#policy.audioStaysHere ? { ...settled, recognition: 'server' } : settled;
  }
}
