import { Navigate, Outlet, useLocation } from 'react-router';
import { useAuth } from './auth.ts';
import { AuthLoading } from './auth-loading.tsx';

/** Sends signed-in people past the sign-in pages, to the page they wanted. */
export function OnlyAnonymous() {
  const auth = useAuth();
  const location = useLocation();
  if (auth.status === 'loading') return <AuthLoading />;
  if (auth.status === 'authenticated') return <Navigate to={wantedPage(location.state)} replace />;
  return <Outlet />;
}

/** Follows only a path of this site, whatever the history entry holds. */
function wantedPage(state: unknown): string {
  if (typeof state === 'object' && state !== null && 'from' in state && typeof state.from === 'string')
    return /^\/(?!\/)/.test(state.from) ? state.from : '/dashboard';
  return '/dashboard';
}
