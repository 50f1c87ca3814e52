import { Navigate, Outlet, useLocation } from 'react-router';
import { useAuth } from './auth.ts';
import { AuthLoading } from './auth-loading.tsx';

const SET_UP = '/second-factor';

/** Admits signed-in people; others sign in first and then return to the page they wanted. */
export function RequireUser() {
  const auth = useAuth();
  const location = useLocation();
  if (auth.status === 'loading') return <AuthLoading />;
  if (auth.status === 'anonymous') {
    // A deliberate sign-out does not return here.
    const from =
      auth.ended === 'signed-out' ? null : `${location.pathname}${location.search}${location.hash}`;
    return <Navigate to="/login" replace state={{ from }} />;
  }
  if (auth.user.mustSetUpSecondFactor && location.pathname !== SET_UP)
    return <Navigate to={SET_UP} replace />;
  return <Outlet />;
}
