import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { type PasswordChange, passwordChangeSchema } from '#shared/accounts';
import { ApiError } from '#web/lib/server/api-error';
import { t } from '#web/texts/accounts';
import { Button } from '#web/ui/button';
import { Field } from '#web/ui/forms/field';
import { PasswordInput } from '#web/ui/forms/password-input';
import { toast } from '#web/ui/layers/toast';
import { Section } from '../section.tsx';
import { useChangePassword } from './api.ts';

export function ChangePassword() {
  const change = useChangePassword();
  const form = useForm<PasswordChange>({
    resolver: zodResolver(passwordChangeSchema),
    defaultValues: { currentPassword: '', newPassword: '' },
  });
  const { errors } = form.formState;

  const submit = form.handleSubmit(async (passwords) => {
    try {
      await change.mutateAsync(passwords);
      form.reset();
      toast.success(t('password.changed'));
    } catch (error) {
      const { fields = {}, message = '' } = error instanceof ApiError ? error : {};
      for (const field of ['currentPassword', 'newPassword'] as const)
        if (fields[field]) form.setError(field, { message: fields[field] });
      if (Object.keys(fields).length === 0) toast.error(message || t('password.failed'));
    }
  });

  return (
    <Section title={t('password.title')} text={t('password.text')}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field label={t('password.current')} error={errors.currentPassword?.message}>
            {(control) => (
              <PasswordInput
                {...control}
                {...form.register('currentPassword')}
                required
                autoComplete="current-password"
              />
            )}
          </Field>
          <Field label={t('password.new')} hint={t('password.hint')} error={errors.newPassword?.message}>
            {(control) => (
              <PasswordInput
                {...control}
                {...form.register('newPassword')}
                required
                autoComplete="new-password"
              />
            )}
          </Field>
        </div>
        <Button type="submit" variant="secondary" busy={change.isPending} className="self-start">
          {t('password.submit')}
        </Button>
      </form>
    </Section>
  );
}
