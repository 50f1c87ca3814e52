import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Sight } from '#server/lib/principal';
import type { ContactScope, Scope } from '#server/lib/scope';
import { contacts, conversations } from './schema.ts';

/** Holds for the rows of a scope: of its workspace, and of its contact where it names one. */
export const inScope = (table: { workspaceId: PgColumn; contactId: PgColumn }, scope: Scope) =>
  and(
    eq(table.workspaceId, scope.workspaceId),
    scope.contactId === null ? undefined : eq(table.contactId, scope.contactId),
  );

/** The id of a scope's contact, for tables that name the contact alone; null when it is in another workspace. */
export const contactIn = ({ workspaceId, contactId }: ContactScope): SQL<string> =>
  sql`(select ${contacts.id} from ${contacts} where ${contacts.id} = ${contactId}::uuid and ${contacts.workspaceId} = ${workspaceId}::uuid)`;

/** Holds for the conversations that somebody may look at. */
export const seenBy = ({ workspaceId, viewerId, seesAll }: Sight) =>
  and(
    eq(conversations.workspaceId, workspaceId),
    seesAll || viewerId === null
      ? undefined
      : or(eq(conversations.contactId, viewerId), eq(conversations.assignedTo, viewerId)),
  );
