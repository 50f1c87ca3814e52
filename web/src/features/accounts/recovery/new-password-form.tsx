import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { z } from 'zod';
import { passwordSchema } from '#shared/accounts';
import { ApiError } from '#web/lib/server/api-error';
import { endSession } from '#web/lib/server/session';
import { t } from '#web/texts/entry';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Field } from '#web/ui/forms/field';
import { PasswordInput } from '#web/ui/forms/password-input';
import { toast } from '#web/ui/layers/toast';
import { setNewPassword } from '../api.ts';

const formSchema = z.object({ newPassword: passwordSchema });

/** @param token from the link */
export function NewPasswordForm({ token }: { token: string }) {
  const navigate = useNavigate();
  const form = useForm<z.infer<typeof formSchema>>({
    resolver: zodResolver(formSchema),
    defaultValues: { newPassword: '' },
  });
  const { errors, isSubmitting, submitCount } = form.formState;

  const submit = form.handleSubmit(async ({ newPassword }) => {
    try {
      await setNewPassword({ token, newPassword });
    } catch (error) {
      const { fields = {}, message = t('reset.failed') } = error instanceof ApiError ? error : {};
      if (fields.newPassword) form.setError('newPassword', { message: fields.newPassword });
      else form.setError('root', { message });
      return;
    }
    // Every session has ended, including this browser's.
    endSession('signed-out');
    toast.success(t('reset.done'));
    void navigate('/login', { replace: true });
  });

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {errors.root?.message && (
        <Banner tone="error" role="alert" key={submitCount}>
          {errors.root.message}
        </Banner>
      )}
      <Field label={t('reset.password')} hint={t('passwordHint')} error={errors.newPassword?.message}>
        {(control) => (
          <PasswordInput
            {...control}
            {...form.register('newPassword')}
            required
            autoComplete="new-password"
          />
        )}
      </Field>
      <Button type="submit" size="lg" busy={isSubmitting} className="mt-1 w-full">
        {isSubmitting ? t('reset.busy') : t('reset.submit')}
      </Button>
    </form>
  );
}
