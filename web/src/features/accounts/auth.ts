import { createContext, useContext } from 'react';
import type { SignedIn, User } from '#shared/accounts';
import type { SessionEnd } from '#web/lib/server/session';

/** The sign-in state. `loading` lasts while the server checks a stored token. */
export type Auth =
  | { status: 'loading'; user: null }
  | { status: 'anonymous'; user: null; ended: SessionEnd | null }
  | { status: 'authenticated'; user: User };

interface AuthActions {
  /** Signs in with the answer of login or registration. */
  accept: (signedIn: SignedIn) => void;
  /** Ends the session here at once, and on the server when it can be reached. */
  logout: () => void;
}

export const AuthContext = createContext<(Auth & AuthActions) | null>(null);

export function useAuth(): Auth & AuthActions {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error('useAuth stands outside of AuthProvider.');
  return auth;
}

/**
 * Whether a user may change what the workspace shares: agents, their knowledge and actions, and unanswered questions.
 */
export const mayChangeAgents = ({ role }: User): boolean => role !== 'member';

/** The signed-in user, on pages behind the guard. */
export function useUser(): User {
  const { user } = useAuth();
  if (!user) throw new Error('useUser stands on a page without a guard.');
  return user;
}
