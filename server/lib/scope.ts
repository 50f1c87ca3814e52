import { z } from 'zod';
import type { Member } from './session.ts';

/** The data in question: that of a workspace, limited to one contact; null: all contacts. */
export interface Scope {
  workspaceId: string;
  contactId: string | null;
}

/** What is one contact's own. */
export interface ContactScope extends Scope {
  contactId: string;
}

/** As instances tell it each other. */
export const contactScopeSchema = z.object({ workspaceId: z.string(), contactId: z.string() });

/** Everybody's in a workspace. */
export const everybodyIn = ({ workspaceId }: Pick<Scope, 'workspaceId'>): Scope => ({
  workspaceId,
  contactId: null,
});

/** The account for sharing work fairly: the person's, or the workspace's for its own work. */
export const accountOf = ({ workspaceId, contactId }: Scope): string => contactId ?? workspaceId;

/** A member's own data in their workspace: there they are a contact under their own id. */
export const memberScope = ({ _id, workspaceId }: Pick<Member, '_id' | 'workspaceId'>): ContactScope => ({
  workspaceId,
  contactId: _id,
});
