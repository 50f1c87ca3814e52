import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { registrationSchema } from '#shared/accounts';
import { ApiError } from '#web/lib/server/api-error';
import { t } from '#web/texts/entry';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Field } from '#web/ui/forms/field';
import { Input } from '#web/ui/forms/input';
import { PasswordInput } from '#web/ui/forms/password-input';
import { register } from './api.ts';
import { useAuth } from './auth.ts';
import type { Invited } from './invited.ts';

const MISMATCH = t('register.mismatch');

const formSchema = registrationSchema.extend({ confirmation: z.string() }).refine(
  (form) => form.password === form.confirmation,
  // Checked even if another field is wrong, so that all mistakes show at once.
  { path: ['confirmation'], message: MISMATCH, when: () => true },
);
type RegisterForm = z.infer<typeof formSchema>;

/** @param invited the address and secret of an invitation link */
export function RegisterForm({ invited }: { invited: Invited | null }) {
  const { accept } = useAuth();
  const form = useForm<RegisterForm>({
    resolver: zodResolver(formSchema),
    defaultValues: { name: '', email: invited?.email ?? '', password: '', confirmation: '' },
  });
  const { errors, isSubmitting, submitCount } = form.formState;

  const submit = form.handleSubmit(async ({ name, email, password }) => {
    try {
      accept(await register({ name, email, password, ...(invited ? { invitation: invited.secret } : {}) }));
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : {};
      for (const field of ['name', 'email', 'password'] as const) {
        const message = fields[field];
        if (message) form.setError(field, { message });
      }
      form.setError('root', { message: failure(error) });
    }
  });

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {errors.root?.message && (
        <Banner tone="error" role="alert" key={submitCount}>
          {errors.root.message}
        </Banner>
      )}
      <Field label={t('register.name')} error={errors.name?.message}>
        {(control) => <Input {...control} {...form.register('name')} required autoComplete="name" />}
      </Field>
      <Field
        label={t('email')}
        {...(invited?.email ? { hint: t('register.invitedEmail') } : {})}
        error={errors.email?.message}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register('email')}
            type="email"
            required
            readOnly={Boolean(invited?.email)}
            autoComplete="username"
            autoCapitalize="off"
            spellCheck={false}
            placeholder={t('emailExample')}
          />
        )}
      </Field>
      <Field label={t('password')} hint={t('passwordHint')} error={errors.password?.message}>
        {(control) => (
          <PasswordInput
            {...control}
            {...form.register('password', { deps: submitCount > 0 ? ['confirmation'] : [] })}
            required
            autoComplete="new-password"
          />
        )}
      </Field>
      <Field label={t('register.confirm')} error={errors.confirmation?.message}>
        {(control) => (
          <PasswordInput
            {...control}
            {...form.register('confirmation')}
            required
            autoComplete="new-password"
          />
        )}
      </Field>
      <Button type="submit" size="lg" busy={isSubmitting} className="mt-1 w-full">
        {isSubmitting ? t('register.busy') : t('register.submit')}
      </Button>
    </form>
  );
}

/** The server's sentence if it sent one. */
function failure(error: unknown): string {
  const message = error instanceof ApiError ? error.serverMessage : null;
  return message ?? t('register.failed');
}
