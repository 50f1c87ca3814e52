import type { ReactNode } from 'react';
import { AuthProvider } from '#web/features/accounts/auth-provider';
import { Toaster } from '#web/ui/layers/toast';

/** Everything that every page may count on. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <AuthProvider>
      {children}
      <Toaster />
    </AuthProvider>
  );
}
