import { sql } from 'drizzle-orm';
import type { Db } from './open.ts';

/** Arbitrary, but the same in every instance. */
const ACCOUNTS_LOCK = 771_220_262;

/**
 * Until the transaction ends, no other one can create an account or change a role, so that the first account
 * and the last owner are decided in order.
 */
export async function lockAccounts(tx: Pick<Db, 'execute'>): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${ACCOUNTS_LOCK})`);
}
