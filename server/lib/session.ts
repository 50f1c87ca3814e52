import type { Role, User } from '#shared/accounts';

/** A member of a workspace who is signed in. */
export interface Member extends User {
  workspaceId: string;
  /** In their workspace. */
  role: Role;
  isInstallationOwner: boolean;
}

/** Somebody is signed in: who, and which of their sessions it is. Its id is no secret: it lets nobody in. */
export interface Session {
  id: string;
  user: Member;
}
