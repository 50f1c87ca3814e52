import { lazy, Suspense, useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { SignInOptions } from '#shared/accounts';
import { t } from '#web/texts/entry';
import { linkClasses } from '#web/ui/link-classes';
import { fetchSignInOptions } from './sign-in-options.ts';

const ProviderButton = lazy(async () => ({
  default: (await import('./federation/provider-button.tsx')).ProviderButton,
}));

/** The ways to sign in besides a password. Empty until they are known, and if there are none. */
export function OtherWays() {
  const [options, setOptions] = useState<SignInOptions | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    fetchSignInOptions(abort.signal)
      .then(setOptions)
      // Sign-in by password works regardless.
      .catch(() => {});
    return () => abort.abort();
  }, []);
  return (
    <>
      {options?.passwordReset && (
        <p className="mt-5 text-center text-sm">
          <Link to="/forgot-password" className={linkClasses}>
            {t('forgot.title')}
          </Link>
        </p>
      )}
      {options?.provider && (
        <Suspense>
          <ProviderButton provider={options.provider} />
        </Suspense>
      )}
    </>
  );
}
