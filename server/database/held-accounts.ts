import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { users } from './schema.ts';

/**
 * Leaves out what belongs to a workspace of which every account waits for its person's choice: until that is made nothing of it acts.
 * See docs/decisions/2026-11-26-accounts-that-wait.md.
 * @param workspaceId the column that says to which workspace something belongs
 */
export const workspaceActs = (workspaceId: AnyPgColumn): SQL =>
  sql`exists (select 1 from ${users} where ${users.workspaceId} = ${workspaceId} and ${users.heldAt} is null)`;
