import { desc, lt } from 'drizzle-orm';
import type { Db } from '#server/database/open';
import { auditLog } from '#server/database/schema';

export type AuditRecord = typeof auditLog.$inferSelect;

/** The security log: entries are added, read and, when old, deleted; never changed. */
export class AuditRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async insert(entry: AuditRecord): Promise<void> {
    await this.#db.insert(auditLog).values(entry);
  }

  /** Newest first. @param before the last entry id of the page before */
  async list(limit: number, before?: string): Promise<AuditRecord[]> {
    return this.#db
      .select()
      .from(auditLog)
      .where(before === undefined ? undefined : lt(auditLog.id, before))
      .orderBy(desc(auditLog.id))
      .limit(limit);
  }

  /** @param firstId the oldest id to keep: ids encode their time */
  async deleteBefore(firstId: string): Promise<void> {
    await this.#db.delete(auditLog).where(lt(auditLog.id, firstId));
  }
}
