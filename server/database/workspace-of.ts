import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { users } from './schema.ts';

/** The workspace that somebody is a member of. */
export const workspaceOf = (userId: string): SQL<string> =>
  sql`(select ${users.workspaceId} from ${users} where ${users.id} = ${userId}::uuid)`;

/** Whether something belongs to the workspace that somebody is a member of. @param column the workspace that it belongs to */
export const inWorkspaceOf = (column: AnyPgColumn, userId: string): SQL =>
  sql`${column} = ${workspaceOf(userId)}`;
