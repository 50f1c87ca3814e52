import type { User } from '#shared/accounts';

/** Somebody is signed in: who, and which of their sessions it is. Its id is no secret: it lets nobody in. */
export interface Session {
  id: string;
  user: User;
}
