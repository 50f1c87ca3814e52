import type { Member } from './session.ts';

/** Whose things are meant: those of a workspace, and in it one contact's own; null: everybody's in it. */
export interface Scope {
  workspaceId: string;
  contactId: string | null;
}

/** Whose turn it is where work is shared out: the person's, or the workspace's for what it does by itself. */
export const accountOf = ({ workspaceId, contactId }: Scope): string => contactId ?? workspaceId;

/** A member's own, in their workspace: they are its contact under their own id. */
export const scopeOf = ({ _id, workspaceId }: Pick<Member, '_id' | 'workspaceId'>) => ({
  workspaceId,
  contactId: _id,
});
