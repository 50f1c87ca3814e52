import { type FormEvent, useRef } from 'react';
import { t } from '#web/texts/accounts';
import { t as common } from '#web/texts/common';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Field } from '#web/ui/forms/field';
import { PasswordInput } from '#web/ui/forms/password-input';

interface AskPasswordProps {
  /** The label of the confirming button, such as "Turn it off". */
  confirm: string;
  danger?: boolean;
  /** The state of the request. */
  deciding: { isPending: boolean; error: Error | null; mutate: (password: string) => void };
  onCancel: () => void;
  /** The label of the other button, by default "Cancel". */
  cancel?: string;
}

/** Asks for the password again before an irreversible change. */
export function AskPassword({
  confirm,
  danger = false,
  deciding,
  onCancel,
  cancel = common('cancel'),
}: AskPasswordProps) {
  const password = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    deciding.mutate(password.current?.value ?? '');
    password.current?.focus();
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {deciding.error && (
        <Banner tone="error" role="alert">
          {deciding.error.message}
        </Banner>
      )}
      <Field label={t('askPassword.label')} hint={t('askPassword.hint')}>
        {(control) => (
          <PasswordInput {...control} ref={password} required autoFocus autoComplete="current-password" />
        )}
      </Field>
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={deciding.isPending}>
          {confirm}
        </Button>
        <Button variant="secondary" disabled={deciding.isPending} onClick={onCancel}>
          {cancel}
        </Button>
      </div>
    </form>
  );
}
