import { lazy, Suspense, useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { SignInOptions } from '#shared/accounts';
import { t } from '#web/texts/entry';
import { linkClasses } from '#web/ui/link-classes';
import { fetchSignInOptions } from './sign-in-options.ts';

const ProviderButton = lazy(async () => ({
  default: (await import('./federation/provider-button.tsx')).ProviderButton,
}));

/** What an installation offers besides a password. Until it has said so, and where it offers nothing, this is nothing. */
export function OtherWays() {
  const [options, setOptions] = useState<SignInOptions | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    fetchSignInOptions(abort.signal)
      .then(setOptions)
      // One can sign in by password all the same.
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
