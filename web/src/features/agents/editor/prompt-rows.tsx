import { Plus, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { type UseFormReturn, useFieldArray } from 'react-hook-form';
import { MAX_PROMPT_CHARACTERS, MAX_PROMPTS } from '#shared/agents';
import { t } from '#web/texts/agents';
import { Button } from '#web/ui/button';
import { Textarea } from '#web/ui/forms/textarea';
import type { AgentFormValues } from './agent-form-values.ts';
import { CharacterCount } from './character-count.tsx';

/** Rules and facts of the agent, one per row; one row always remains. */
export function PromptRows({ form }: { form: UseFormReturn<AgentFormValues> }) {
  const id = useId();
  const rows = useFieldArray({ control: form.control, name: 'prompts' });
  const { errors } = form.formState;
  const whole = errors.prompts?.root?.message ?? errors.prompts?.message;

  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-1.5 font-medium text-ink text-sm">{t('fields.prompts')}</legend>
      <p className="-mt-1 text-ink-faint text-sm">{t('prompts.text')}</p>
      {rows.fields.map((row, index) => {
        const error = errors.prompts?.[index]?.text?.message;
        return (
          <div key={row.id} className="flex flex-col gap-1">
            <div className="flex items-start gap-2">
              <Textarea
                {...form.register(`prompts.${index}.text`)}
                rows={1}
                dir="auto"
                aria-label={t('prompts.prompt', { number: index + 1 })}
                aria-invalid={error !== undefined || undefined}
                aria-describedby={error ? `${id}-${index}` : undefined}
                placeholder={index === 0 ? t('prompts.example') : undefined}
                className="field-sizing-content max-h-60 min-h-11"
              />
              {rows.fields.length > 1 && (
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={t('prompts.remove', { number: index + 1 })}
                  onClick={() => rows.remove(index)}
                >
                  <Trash2 aria-hidden="true" />
                </Button>
              )}
            </div>
            {error && (
              <p id={`${id}-${index}`} className="text-sm text-urgent-text">
                {error}
              </p>
            )}
            <CharacterCount
              control={form.control}
              name={`prompts.${index}.text`}
              max={MAX_PROMPT_CHARACTERS}
            />
          </div>
        );
      })}
      {whole && (
        <p role="alert" className="text-sm text-urgent-text">
          {whole}
        </p>
      )}
      {rows.fields.length < MAX_PROMPTS && (
        <Button
          variant="secondary"
          size="sm"
          className="self-start"
          onClick={() => rows.append({ text: '' })}
        >
          <Plus aria-hidden="true" />
          {t('prompts.add')}
        </Button>
      )}
    </fieldset>
  );
}
