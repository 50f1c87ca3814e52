import { eq } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { engineSettings, users } from '#server/database/schema';
import type { EngineCapability } from '#shared/engine-settings';

const columns = {
  capability: engineSettings.capability,
  sealed: engineSettings.sealed,
  updatedAt: engineSettings.updatedAt,
  /** Null if the account is gone. */
  updatedBy: users.name,
};

/** Owners' saved settings of each engine, sealed, in one row each. */
export class EnginesRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  list() {
    return this.#db
      .select(columns)
      .from(engineSettings)
      .leftJoin(users, eq(users.id, engineSettings.updatedBy));
  }

  async save(capability: EngineCapability, sealed: string, updatedBy: string): Promise<void> {
    const row = { sealed, updatedBy, updatedAt: new Date() };
    await this.#db
      .insert(engineSettings)
      .values({ capability, ...row })
      .onConflictDoUpdate({ target: engineSettings.capability, set: row });
  }

  async delete(capability: EngineCapability): Promise<void> {
    await this.#db.delete(engineSettings).where(eq(engineSettings.capability, capability));
  }
}
