import { type FormEvent, useRef, useState } from 'react';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Field } from '#web/ui/forms/field';
import { PasswordInput } from '#web/ui/forms/password-input';
import { Section } from '../section.tsx';
import { useDeleteAccount } from './api.ts';

/** The way out, with everything: asked for twice, and for the password. */
export function DeleteAccount() {
  const deletion = useDeleteAccount();
  const [asking, setAsking] = useState(false);
  const password = useRef<HTMLInputElement>(null);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    deletion.mutate(password.current?.value ?? '', { onError: () => password.current?.focus() });
  };

  return (
    <Section
      title="Delete your account"
      text="Your agents, conversations and recordings are gone for good, for you and for everybody here."
    >
      {asking ? (
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          {deletion.error && (
            <Banner tone="error" role="alert">
              {deletion.error.message}
            </Banner>
          )}
          <Field label="Your password" hint="So that nobody else can do this.">
            {(control) => (
              <PasswordInput {...control} ref={password} required autoFocus autoComplete="current-password" />
            )}
          </Field>
          <div className="flex flex-wrap gap-2.5">
            <Button type="submit" variant="danger" busy={deletion.isPending}>
              Delete account for good
            </Button>
            <Button variant="secondary" disabled={deletion.isPending} onClick={() => setAsking(false)}>
              Cancel
            </Button>
          </div>
        </form>
      ) : (
        <Button variant="secondary" className="self-start" onClick={() => setAsking(true)}>
          Delete account
        </Button>
      )}
    </Section>
  );
}
