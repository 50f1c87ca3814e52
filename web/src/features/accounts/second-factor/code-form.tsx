import { type FormEvent, useRef, useState } from 'react';
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
      const sentence = error instanceof Error ? error.message : 'The sign-in failed.';
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
      <Field label="Code" hint="Of your authenticator app. A recovery code does, too, once.">
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
        {busy ? 'Signing in...' : 'Sign in'}
      </Button>
      <Button variant="ghost" onClick={onBack}>
        Back
      </Button>
    </form>
  );
}
