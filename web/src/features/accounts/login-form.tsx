import { type FormEvent, lazy, Suspense, useRef, useState } from 'react';
import { ApiError } from '#web/lib/server/api-error';
import { t } from '#web/texts/entry';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Field } from '#web/ui/forms/field';
import { Input } from '#web/ui/forms/input';
import { PasswordInput } from '#web/ui/forms/password-input';
import { useAuth } from './auth.ts';
import { OtherWays } from './other-ways.tsx';
import { accountRequests } from './requests.ts';

/** Loaded on demand, since few people need it. */
const CodeForm = lazy(async () => ({ default: (await import('./second-factor/code-form.tsx')).CodeForm }));

const INCOMPLETE = t('login.incomplete');
const FAILED = t('login.failed');

/** The problem, new for each attempt, and the empty fields. */
interface Problem {
  attempt: number;
  sentence: string;
  missing: readonly string[];
}

/** Email address and password. It avoids the form library, so that the first visit is fast. */
export function LoginForm() {
  const { accept } = useAuth();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  /** The password was right; the account also needs a code. */
  const [proved, setProved] = useState<{ email: string; password: string } | null>(null);
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);

  const complain = (sentence: string, missing: readonly string[] = []) =>
    setProblem((last) => ({ attempt: (last?.attempt ?? 0) + 1, sentence, missing }));

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const fields = { email: email.current?.value.trim() ?? '', password: password.current?.value ?? '' };
    if (!fields.email || !fields.password) {
      complain(INCOMPLETE, [...(fields.email ? [] : ['email']), ...(fields.password ? [] : ['password'])]);
      (fields.email ? password : email).current?.focus();
      return;
    }
    setBusy(true);
    try {
      const { signIn } = await accountRequests();
      accept(await signIn(fields));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'second-factor-needed') {
        setProblem(null);
        setProved(fields);
        return;
      }
      complain(failure(error));
      password.current?.focus();
    } finally {
      setBusy(false);
    }
  };

  const submitCode = async (code: string) => {
    const { signIn } = await accountRequests();
    if (proved) accept(await signIn({ ...proved, code }));
  };

  if (proved)
    return (
      <Suspense>
        <CodeForm onCode={submitCode} onBack={() => setProved(null)} />
      </Suspense>
    );
  return (
    <>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        {problem && (
          <Banner tone="error" role="alert" key={problem.attempt}>
            {problem.sentence}
          </Banner>
        )}
        <Field label={t('email')}>
          {(control) => (
            <Input
              {...control}
              ref={email}
              onFocus={fetchAhead}
              aria-invalid={problem?.missing.includes('email') || undefined}
              type="email"
              required
              autoComplete="username"
              autoCapitalize="off"
              spellCheck={false}
              placeholder={t('emailExample')}
            />
          )}
        </Field>
        <Field label={t('password')}>
          {(control) => (
            <PasswordInput
              {...control}
              ref={password}
              onFocus={fetchAhead}
              aria-invalid={problem?.missing.includes('password') || undefined}
              required
              autoComplete="current-password"
            />
          )}
        </Field>
        <Button type="submit" size="lg" busy={busy} className="mt-1 w-full">
          {busy ? t('login.busy') : t('login.submit')}
        </Button>
      </form>
      <OtherWays />
    </>
  );
}

/** Loads ahead during typing, so that the button waits only for the server. Errors appear at sign-in. */
const fetchAhead = () => void accountRequests().catch(() => {});

/** The specification's sentence, followed by the reason unless the credentials are wrong. */
function failure(error: unknown): string {
  const elsewhere = error instanceof ApiError && error.code !== 'invalid-credentials' && error.status !== 401;
  return elsewhere ? `${FAILED} ${error.message}` : FAILED;
}
