import { useState } from 'react';
import { getSession } from '#web/lib/server/session';
import { t } from '#web/texts/entry';
import { useAuth, useUser } from '../auth.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SetUp } from './set-up.tsx';

/** The page of a user who must set up a second factor before anything else. */
export function MustSetUp() {
  const { accept, logout } = useAuth();
  const { mustSetUpSecondFactor: _, ...user } = useUser();
  const [codes, setCodes] = useState<string[] | null>(null);
  const goOn = () => accept({ token: getSession().token ?? '', user });
  if (codes) return <RecoveryCodes codes={codes} onDone={goOn} />;
  return <SetUp onCodes={setCodes} onCancel={logout} cancel={t('secondFactor.signOut')} />;
}
