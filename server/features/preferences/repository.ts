import { eq } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { preferences } from '#server/database/schema';
import type { Preferences, PreferencesChange } from '#shared/preferences';

const columns = {
  keepRecordings: preferences.keepRecordings,
  recognition: preferences.recognition,
  soundCues: preferences.soundCues,
};

/** What each user has settled, in one row. */
export class PreferencesRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Null for a user who has settled nothing. */
  async find(userId: string): Promise<Preferences | null> {
    const [row] = await this.#db.select(columns).from(preferences).where(eq(preferences.userId, userId));
    return row ?? null;
  }

  /**
   * Changes some of them in one statement: two changes at the same moment both count.
   * @param before what holds for a user who has settled nothing yet
   * @returns all of them as they are now
   */
  async change(userId: string, change: PreferencesChange, before: Preferences): Promise<Preferences> {
    const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const [row] = await this.#db
      .insert(preferences)
      .values({ userId, ...before, ...set })
      // A statement that changes nothing would answer no row.
      .onConflictDoUpdate({ target: preferences.userId, set: { userId, ...set } })
      .returning(columns);
    if (!row) throw new Error('The database kept preferences without answering them.');
    return row;
  }
}
