import { useState } from 'react';
import { t } from '#web/texts/accounts';
import { Button } from '#web/ui/button';
import { AskPassword } from '../ask-password.tsx';
import { Section } from '../section.tsx';
import { useDeleteAccount } from './api.ts';

/** Deletes the account with all data: asks twice, and for the password. */
export function DeleteAccount() {
  const deletion = useDeleteAccount();
  const [asking, setAsking] = useState(false);
  return (
    <Section title={t('deletion.title')} text={t('deletion.text')}>
      {asking ? (
        <AskPassword
          confirm={t('deletion.confirm')}
          danger
          deciding={deletion}
          onCancel={() => setAsking(false)}
        />
      ) : (
        <Button variant="secondary" className="self-start" onClick={() => setAsking(true)}>
          {t('deletion.ask')}
        </Button>
      )}
    </Section>
  );
}
