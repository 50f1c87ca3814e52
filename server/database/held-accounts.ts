import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { users } from './schema.ts';

/**
 * Leaves out what belongs to an account that waits for its person's choice: until that is made nothing of it acts.
 * See docs/decisions/2026-11-26-accounts-that-wait.md.
 * @param owner the column that says whose it is
 */
export const ownerActs = (owner: AnyPgColumn): SQL =>
  sql`not exists (select 1 from ${users} where ${users.id} = ${owner} and ${users.heldAt} is not null)`;
