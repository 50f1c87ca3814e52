import { Navigate, Outlet, useLocation } from 'react-router';
import { useAuth } from './auth.ts';
import { AuthLoading } from './auth-loading.tsx';

/** Sends people who are signed in already past the sign-in pages, to the page they were asked to sign in for. */
export function OnlyAnonymous() {
  const auth = useAuth();
  const location = useLocation();
  if (auth.status === 'loading') return <AuthLoading />;
  if (auth.status === 'authenticated') return <Navigate to={wantedPage(location.state)} replace />;
  return <Outlet />;
}

/** Only a path of this site is followed, whatever the history entry holds. */
function wantedPage(state: unknown): string {
  if (typeof state === 'object' && state !== null && 'from' in state && typeof state.from === 'string')
    return /^\/(?!\/)/.test(state.from) ? state.from : '/dashboard';
  return '/dashboard';
}
