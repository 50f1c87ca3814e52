import { type FormEvent, useRef, useState } from 'react';
import { t } from '#web/texts/entry';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Field } from '#web/ui/forms/field';
import { Input } from '#web/ui/forms/input';

interface CodeFormProps {
  /** Rejects with the reason, in a sentence. */
  onCode: (code: string) => Promise<void>;
  onBack: () => void;
}

/** The second step of a sign-in: the code of an authenticator app, or a recovery code. */
export function CodeForm({ onCode, onBack }: CodeFormProps) {
  const code = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<{ attempt: number; sentence: string } | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const typed = code.current?.value.trim() ?? '';
    if (busy || !typed) return;
    setBusy(true);
    try {
      await onCode(typed);
    } catch (error) {
      const sentence = error instanceof Error ? error.message : t('signInFailed');
      setProblem((last) => ({ attempt: (last?.attempt ?? 0) + 1, sentence }));
      code.current?.select();
    } finally {
      setBusy(false);
    }
  };

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {problem && (
        <Banner tone="error" role="alert" key={problem.attempt}>
          {problem.sentence}
        </Banner>
      )}
      <Field label={t('code.label')} hint={t('code.hint')}>
        {(control) => (
          <Input
            {...control}
            ref={code}
            required
            autoFocus
            autoComplete="one-time-code"
            autoCapitalize="off"
            spellCheck={false}
            placeholder="123456"
          />
        )}
      </Field>
      <Button type="submit" size="lg" busy={busy} className="mt-1 w-full">
        {busy ? t('login.busy') : t('login.submit')}
      </Button>
      <Button variant="ghost" onClick={onBack}>
        {t('code.back')}
      </Button>
    </form>
  );
}
