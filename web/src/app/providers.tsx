import type { ReactNode } from 'react';
import { AuthProvider } from '#web/features/accounts/auth-provider';
import { Toaster } from '#web/ui/layers/toast';

/** The contexts that every page relies on. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <AuthProvider>
      {children}
      <Toaster />
    </AuthProvider>
  );
}
