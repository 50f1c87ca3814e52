import { Plus, Trash2 } from 'lucide-react';
import { type UseFormReturn, useFieldArray } from 'react-hook-form';
import { MAX_SAYINGS } from '#shared/sayings';
import { t } from '#web/texts/agents';
import { Button } from '#web/ui/button';
import { Field } from '#web/ui/forms/field';
import { Textarea } from '#web/ui/forms/textarea';
import type { AgentFormValues } from '../agent-form-values.ts';

/** Fixed answers, each with its topic. */
export function AnswerRows({ form }: { form: UseFormReturn<AgentFormValues> }) {
  const rows = useFieldArray({ control: form.control, name: 'answers' });
  const { answers } = form.formState.errors;
  const whole = answers?.root?.message ?? answers?.message;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1.5 font-medium text-ink text-sm">{t('fields.answers')}</legend>
      <p className="-mt-1.5 text-ink-faint text-sm">{t('answers.text')}</p>
      {rows.fields.map((row, index) => (
        <fieldset
          key={row.id}
          aria-label={t('answers.answer', { number: index + 1 })}
          className="relative grid gap-3 rounded-md border border-line p-3 pr-14 sm:grid-cols-[2fr_3fr]"
        >
          <Field label={t('answers.about')} error={answers?.[index]?.about?.message}>
            {(control) => (
              <Textarea
                {...control}
                {...form.register(`answers.${index}.about`)}
                rows={1}
                dir="auto"
                placeholder={t('answers.aboutExample')}
                className="field-sizing-content max-h-60 min-h-11"
              />
            )}
          </Field>
          <Field label={t('answers.says')} error={answers?.[index]?.say?.message}>
            {(control) => (
              <Textarea
                {...control}
                {...form.register(`answers.${index}.say`)}
                rows={1}
                dir="auto"
                placeholder={t('answers.saysExample')}
                className="field-sizing-content max-h-60 min-h-11"
              />
            )}
          </Field>
          <Button
            variant="ghost"
            size="icon"
            className="absolute top-1.5 right-1.5"
            aria-label={t('answers.remove', { number: index + 1 })}
            onClick={() => rows.remove(index)}
          >
            <Trash2 aria-hidden="true" />
          </Button>
        </fieldset>
      ))}
      {whole && (
        <p role="alert" className="text-sm text-urgent-text">
          {whole}
        </p>
      )}
      {rows.fields.length < MAX_SAYINGS && (
        <Button
          variant="secondary"
          size="sm"
          className="self-start"
          onClick={() => rows.append({ about: '', say: '' })}
        >
          <Plus aria-hidden="true" />
          {t('answers.add')}
        </Button>
      )}
    </fieldset>
  );
}
