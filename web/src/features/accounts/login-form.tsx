import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { type Credentials, credentialsSchema } from '#shared/accounts';
import { ApiError } from '#web/lib/api-client';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Field } from '#web/ui/field';
import { Input } from '#web/ui/input';
import { PasswordInput } from '#web/ui/password-input';
import { signIn } from './api.ts';
import { useAuth } from './auth.ts';

const FAILED = 'Failed to sign in. Please check your credentials.';

export function LoginForm() {
  const { accept } = useAuth();
  const form = useForm<Credentials>({
    resolver: zodResolver(credentialsSchema),
    defaultValues: { email: '', password: '' },
    reValidateMode: 'onSubmit',
  });
  const { errors, isSubmitting } = form.formState;
  const incomplete = errors.email !== undefined || errors.password !== undefined;
  const problem = incomplete ? 'Please enter both email and password' : errors.root?.message;

  const submit = form.handleSubmit(async (credentials) => {
    try {
      accept(await signIn(credentials));
    } catch (error) {
      form.setError('root', { message: failure(error) });
      form.setFocus('password');
    }
  });

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {problem && (
        <Banner tone="error" role="alert" key={form.formState.submitCount}>
          {problem}
        </Banner>
      )}
      <Field label="Email address">
        {(control) => (
          <Input
            {...control}
            {...form.register('email')}
            aria-invalid={errors.email !== undefined || undefined}
            type="email"
            required
            autoComplete="username"
            autoCapitalize="off"
            spellCheck={false}
            placeholder="you@company.com"
          />
        )}
      </Field>
      <Field label="Password">
        {(control) => (
          <PasswordInput
            {...control}
            {...form.register('password')}
            aria-invalid={errors.password !== undefined || undefined}
            required
            autoComplete="current-password"
          />
        )}
      </Field>
      <Button type="submit" size="lg" busy={isSubmitting} className="mt-1 w-full">
        {isSubmitting ? 'Signing in...' : 'Sign in'}
      </Button>
    </form>
  );
}

/** The specification's sentence; when the credentials are not what is wrong, the reason follows it. */
function failure(error: unknown): string {
  const elsewhere = error instanceof ApiError && error.code !== 'invalid-credentials' && error.status !== 401;
  return elsewhere ? `${FAILED} ${error.message}` : FAILED;
}
