import { useState } from 'react';
import { Button } from '#web/ui/button';
import { AskPassword } from '../ask-password.tsx';
import { Section } from '../section.tsx';
import { useDeleteAccount } from './api.ts';

/** The way out, with everything: asked for twice, and for the password. */
export function DeleteAccount() {
  const deletion = useDeleteAccount();
  const [asking, setAsking] = useState(false);
  return (
    <Section
      title="Delete your account"
      text="Your agents, conversations and recordings are gone for good, for you and for everybody here."
    >
      {asking ? (
        <AskPassword
          confirm="Delete account for good"
          danger
          deciding={deletion}
          onCancel={() => setAsking(false)}
        />
      ) : (
        <Button variant="secondary" className="self-start" onClick={() => setAsking(true)}>
          Delete account
        </Button>
      )}
    </Section>
  );
}
