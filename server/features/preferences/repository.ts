import { eq } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { preferences } from '#server/database/schema';
import type { Preferences, PreferencesChange } from '#shared/preferences';

const columns = {
  keepRecordings: preferences.keepRecordings,
  recognition: preferences.recognition,
  soundCues: preferences.soundCues,
};

/** Each user's preferences, in one row. */
export class PreferencesRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Null for a user without saved preferences. */
  async find(userId: string): Promise<Preferences | null> {
    const [row] = await this.#db.select(columns).from(preferences).where(eq(preferences.userId, userId));
    return row ?? null;
  }

  /**
   * Changes some preferences in one statement, so that two simultaneous changes both count.
   * @param before the values for a user without saved preferences
   * @returns all preferences after the change
   */
  async change(userId: string, change: PreferencesChange, before: Preferences): Promise<Preferences> {
    const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const [row] = await this.#db
      .insert(preferences)
      .values({ userId, ...before, ...set })
      // An update that changes nothing would return no row.
      .onConflictDoUpdate({ target: preferences.userId, set: { userId, ...set } })
      .returning(columns);
    if (!row) throw new Error('The database kept preferences without answering them.');
    return row;
  }
}
