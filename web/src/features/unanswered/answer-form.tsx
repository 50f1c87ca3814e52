import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type AnsweredNow, MAX_WRITTEN_ANSWER, writtenAnswerSchema } from '#shared/insights';
import { cn } from '#web/lib/class-names';
import { randomId } from '#web/lib/id';
import { logProblem } from '#web/lib/log';
import { ApiError } from '#web/lib/server/api-error';
import { t as common } from '#web/texts/common';
import { t } from '#web/texts/unanswered';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Field } from '#web/ui/forms/field';
import { Textarea } from '#web/ui/forms/textarea';
import { type ShownUnanswered, useWriteAnswer } from './api.ts';

interface AnswerFormProps {
  question: ShownUnanswered;
  text: string;
  onText: (text: string) => void;
  onCancel: () => void;
  onSaved: (answered: AnsweredNow) => void;
}

/** A person's answer in their own words. The draft stays until it is saved or cancelled. */
export function AnswerForm({ question, text, onText, onCancel, onSaved }: AnswerFormProps) {
  const saving = useWriteAnswer();
  const [error, setError] = useState<string>();
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const attempt = useRef({ answer: '', idempotencyKey: '' });
  const left = MAX_WRITTEN_ANSWER - text.trim().length;

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens; a draft that was kept takes no focus.
  useEffect(() => {
    if (text === '') field.current?.focus();
  }, []);

  const save = (event: FormEvent) => {
    event.preventDefault();
    const written = writtenAnswerSchema.safeParse({ answer: text });
    setProblem(null);
    setError(written.success ? undefined : written.error.issues[0]?.message);
    if (!written.success) {
      field.current?.focus();
      return;
    }
    const { answer } = written.data;
    if (attempt.current.answer !== answer) attempt.current = { answer, idempotencyKey: randomId() };
    saving.mutate(
      { id: question._id, ...attempt.current },
      {
        onSuccess: onSaved,
        onError: (failure) => {
          logProblem(t('answer.failed'), failure);
          const ofField = failure instanceof ApiError ? failure.fields.answer : undefined;
          setError(ofField);
          setProblem(ofField ? null : t('answer.failedWith', { reason: failure.message }));
        },
      },
    );
  };

  return (
    <form onSubmit={save} noValidate className="mt-4 flex animate-appear flex-col gap-3">
      <Field label={t('answer.label')} hint={t('answer.hint', { agent: question.agentName })} error={error}>
        {(control) => (
          <Textarea
            {...control}
            ref={field}
            rows={4}
            required
            dir="auto"
            value={text}
            onChange={(event) => onText(event.target.value)}
            className="field-sizing-content max-h-96 min-h-29"
          />
        )}
      </Field>
      {left < MAX_WRITTEN_ANSWER / 10 && (
        <p
          role="status"
          className={cn('numbers -mt-2 text-right text-xs', left < 0 ? 'text-urgent-text' : 'text-ink-faint')}
        >
          {left < 0
            ? common('charactersTooMany', { count: -left })
            : common('charactersLeft', { count: left })}
        </p>
      )}
      {problem && (
        <Banner tone="error" role="alert">
          {problem}
        </Banner>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" busy={saving.isPending}>
          {saving.isPending ? t('answer.saving') : t('answer.save')}
        </Button>
        <Button variant="ghost" size="sm" disabled={saving.isPending} onClick={onCancel}>
          {common('cancel')}
        </Button>
      </div>
    </form>
  );
}
