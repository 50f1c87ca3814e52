import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { users } from './schema.ts';

/**
 * Excludes data of a workspace while all its accounts wait for their person's choice: until then none of it
 * acts. See docs/decisions/2026-11-26-accounts-that-wait.md.
 * @param workspaceId the column with the workspace
 */
export const workspaceActs = (workspaceId: AnyPgColumn): SQL =>
  sql`exists (select 1 from ${users} where ${users.workspaceId} = ${workspaceId} and ${users.heldAt} is null)`;
