import { desc, lt } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { auditLog } from '#server/database/schema';

export type AuditRecord = typeof auditLog.$inferSelect;

/** The security log: entries are added, read and, when they are old, removed; never changed. */
export class AuditRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async insert(entry: AuditRecord): Promise<void> {
    await this.#db.insert(auditLog).values(entry);
  }

  /** Newest first. @param before the id of the entry that the page begins behind */
  async list(limit: number, before?: string): Promise<AuditRecord[]> {
    return this.#db
      .select()
      .from(auditLog)
      .where(before === undefined ? undefined : lt(auditLog.id, before))
      .orderBy(desc(auditLog.id))
      .limit(limit);
  }

  /** @param firstId of those that stay: ids tell their time */
  async deleteBefore(firstId: string): Promise<void> {
    await this.#db.delete(auditLog).where(lt(auditLog.id, firstId));
  }
}
