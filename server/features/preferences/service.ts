import { defaultPreferences, type Preferences, type PreferencesChange } from '#shared/preferences';
import type { PreferencesRepository } from './repository.ts';

/**
 * A user's preferences for all their calls.
 * Simultaneous reads of one user share a query, but nothing is cached beyond that: "do not keep my voice" must apply at
 * once on every instance, and one row found by its key costs less than a message to all instances.
 */
export class PreferencesService {
  readonly #repository: PreferencesRepository;
  readonly #policy: { audioStaysHere: boolean };
  readonly #asked = new Map<string, Promise<Preferences>>();

  /** @param policy the operator's rules for all users, which override preferences */
  constructor(repository: PreferencesRepository, policy = { audioStaysHere: false }) {
    this.#repository = repository;
    this.#policy = policy;
  }

  /** A user's effective preferences; the defaults for one without saved ones. */
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

  /** Changes only the given preferences. @returns all preferences after the change */
  async change(userId: string, change: PreferencesChange): Promise<Preferences> {
    const changed = await this.#repository.change(userId, change, defaultPreferences);
    // Later reads must not share a query from before the change.
    this.#asked.delete(userId);
    return this.#allowed(changed);
  }

  /** A preference that the operator does not allow is stored, and applies once they allow it. */
  #allowed(settled: Preferences): Preferences {
    return this.#policy.audioStaysHere ? { ...settled, recognition: 'server' } : settled;
  }
}
