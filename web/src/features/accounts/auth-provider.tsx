import { type ReactNode, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { SignedIn, User } from '#shared/accounts';
import { logProblem } from '#web/lib/log';
import { endSession, getSession, startSession, subscribeToSession } from '#web/lib/server/session';
import { emptyTab, leaveTab, ownTab } from '#web/lib/tab-owner';
import { t } from '#web/texts/entry';
import { toast } from '#web/ui/layers/toast';
import { type Auth, AuthContext } from './auth.ts';
import { accountRequests } from './requests.ts';

/** A user and the token that belongs to them. */
interface Known {
  token: string;
  user: User;
}

/** Provides the signed-in user to everything below it. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const session = useSyncExternalStore(subscribeToSession, getSession);
  const [known, setKnown] = useState<Known | null>(null);
  const user = known && known.token === session.token ? known.user : null;

  useEffect(() => {
    const { token } = session;
    if (token === null || user) return;
    const abort = new AbortController();
    accountRequests()
      .then(({ fetchUser }) => fetchUser(abort.signal))
      .then(({ tabKey, ...fetched }) => {
        if (getSession().token !== token) return;
        // Before any component looks for stored data.
        ownTab(fetched._id, tabKey);
        setKnown({ token, user: fetched });
      })
      .catch(() => {
        // A user who cannot be loaded is signed out silently (specification).
        if (!abort.signal.aborted && getSession().token === token) endSession('expired');
      });
    return () => abort.abort();
  }, [session, user]);

  useEffect(() => {
    if (session.token !== null) return;
    // A draft waits for the same person after an expired session, not after a sign-out. Forms that this has just
    // removed have stored theirs by now.
    if (session.ended === 'signed-out') emptyTab();
    else leaveTab();
    if (known && session.ended === 'expired') toast.info(t('sessionEnded'));
    setKnown(null);
  }, [session, known]);

  const accept = useCallback((signedIn: SignedIn) => {
    ownTab(signedIn.user._id, signedIn.tabKey);
    setKnown({ token: signedIn.token, user: signedIn.user });
    startSession(signedIn.token);
  }, []);

  const logout = useCallback(() => {
    const { token } = getSession();
    endSession('signed-out');
    if (token === null) return;
    accountRequests()
      .then(({ signOut }) => signOut(token))
      .catch((error: unknown) => logProblem('The server was not told of the sign-out.', error));
  }, []);

  const auth = useMemo((): Auth => {
    if (session.token === null) return { status: 'anonymous', user: null, ended: session.ended };
    return user ? { status: 'authenticated', user } : { status: 'loading', user: null };
  }, [session, user]);

  const value = useMemo(() => ({ ...auth, accept, logout }), [auth, accept, logout]);
  return <AuthContext value={value}>{children}</AuthContext>;
}
