import type { Role, User } from '#shared/accounts';

/** A signed-in member of a workspace. */
export interface Member extends User {
  workspaceId: string;
  /** In their workspace. */
  role: Role;
  isInstallationOwner: boolean;
}

/** A signed-in session and its member. Its id is no secret: it grants no access. */
export interface Session {
  id: string;
  user: Member;
}
