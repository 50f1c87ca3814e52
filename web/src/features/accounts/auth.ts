import { createContext, useContext } from 'react';
import type { SignedIn, User } from '#shared/accounts';
import type { SessionEnd } from '#web/lib/server/session';

/** Who is here. `loading` lasts while a stored token is being shown to the server. */
export type Auth =
  | { status: 'loading'; user: null }
  | { status: 'anonymous'; user: null; ended: SessionEnd | null }
  | { status: 'authenticated'; user: User };

interface AuthActions {
  /** Takes over what login or registration answered. */
  accept: (signedIn: SignedIn) => void;
  /** Ends the session here at once and on the server when it can be reached. */
  logout: () => void;
}

export const AuthContext = createContext<(Auth & AuthActions) | null>(null);

export function useAuth(): Auth & AuthActions {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error('useAuth stands outside of AuthProvider.');
  return auth;
}

/** Whether somebody changes what the workspace shares: its agents, with what they know and do, and what they left unanswered. */
export const mayChangeAgents = ({ role }: User): boolean => role !== 'member';

/** The signed-in user, on pages that the guard lets nobody else see. */
export function useUser(): User {
  const { user } = useAuth();
  if (!user) throw new Error('useUser stands on a page without a guard.');
  return user;
}
