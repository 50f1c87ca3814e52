import { sql } from 'drizzle-orm';
import type { Db } from './open.ts';

/** Any number: it only has to be the same in every instance. */
const ACCOUNTS_LOCK = 771_220_262;

/**
 * Until the end of its transaction, nobody else makes an account or changes a role: who is the first, and who the last
 * owner, is decided one after the other.
 */
export async function lockAccounts(tx: Pick<Db, 'execute'>): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${ACCOUNTS_LOCK})`);
}
