import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import { emailSchema, passwordResetRequestSchema } from '#shared/accounts';
import { ApiError } from '#web/lib/server/api-error';
import { t } from '#web/texts/entry';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Field } from '#web/ui/forms/field';
import { Input } from '#web/ui/forms/input';
import { askForNewPassword } from '../api.ts';

const formSchema = passwordResetRequestSchema.extend({ email: emailSchema });

/** Requests a link to a new password. Its answer does not reveal whether the account exists. */
export function ForgotPasswordForm() {
  const form = useForm<z.infer<typeof formSchema>>({
    resolver: zodResolver(formSchema),
    defaultValues: { email: '' },
  });
  const { errors, isSubmitting, isSubmitSuccessful, submitCount } = form.formState;

  const submit = form.handleSubmit(async ({ email }) => {
    try {
      await askForNewPassword(email);
    } catch (error) {
      const message = error instanceof ApiError ? error.message : t('forgot.failed');
      form.setError('root', { message });
    }
  });

  if (isSubmitSuccessful)
    return (
      <Banner tone="success" role="status">
        {t('forgot.sent')}
      </Banner>
    );
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {errors.root?.message && (
        <Banner tone="error" role="alert" key={submitCount}>
          {errors.root.message}
        </Banner>
      )}
      <Field label={t('email')} error={errors.email?.message}>
        {(control) => (
          <Input
            {...control}
            {...form.register('email')}
            type="email"
            required
            autoComplete="username"
            autoCapitalize="off"
            spellCheck={false}
            placeholder={t('emailExample')}
          />
        )}
      </Field>
      <Button type="submit" size="lg" busy={isSubmitting} className="mt-1 w-full">
        {isSubmitting ? t('forgot.busy') : t('forgot.submit')}
      </Button>
    </form>
  );
}
