import { ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { t } from '#web/texts/agents';
import { type AgentFormValues, sayingFields, shownSayings } from '../agent-form-values.ts';
import { AnswerRows } from './answer-rows.tsx';
import { InPrompts } from './in-prompts.tsx';
import { LinesField } from './lines-field.tsx';
import { useSayingsInPrompts } from './use-sayings-in-prompts.ts';

interface SayingsSectionProps {
  form: UseFormReturn<AgentFormValues>;
  /** The language of the agent's customers, if known. */
  language?: string | undefined;
}

/** The agent's fixed and forbidden words; closed until some of it is used. */
export function SayingsSection({ form, language }: SayingsSectionProps) {
  const { control } = form;
  const said = useWatch({ control, name: ['greeting', 'goodbye', 'answers', 'neverSay', 'handOverWhen'] });
  const inPrompts = useSayingsInPrompts(control, language);
  const { errors } = form.formState;
  const isUsed = said.some((part) => part.length > 0);
  const isWrong = sayingFields.some((field) => errors[field]);
  const [isOpen, setOpen] = useState(isUsed);
  const summary = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isUsed || isWrong) setOpen(true);
  }, [isUsed, isWrong]);

  const takeOver = () => {
    const shown = shownSayings(inPrompts ?? {});
    for (const field of sayingFields) {
      const value = shown[field];
      if (value !== undefined) form.setValue(field, value, { shouldDirty: true });
    }
    form.setValue('decided', [...sayingFields], { shouldDirty: true });
    setOpen(true);
    summary.current?.focus();
  };

  return (
    <div className="flex flex-col gap-3">
      {inPrompts && <InPrompts sayings={inPrompts} onUse={takeOver} />}
      <details
        open={isOpen}
        onToggle={(event) => setOpen(event.currentTarget.open)}
        className="group rounded-md border border-line"
      >
        <summary
          ref={summary}
          className="flex min-h-11 cursor-pointer list-none items-center gap-3 rounded-md px-4 py-3 [&::-webkit-details-marker]:hidden"
        >
          <span className="min-w-0 flex-1">
            <span className="block font-medium text-ink text-sm">{t('sayings.title')}</span>
            <span className="block text-ink-faint text-sm">{t('sayings.text')}</span>
          </span>
          <ChevronRight
            aria-hidden="true"
            className="size-4 shrink-0 text-ink-faint transition-transform group-open:rotate-90"
          />
        </summary>
        <div className="flex flex-col gap-6 border-line border-t px-4 py-5">
          <LinesField
            form={form}
            name="greeting"
            label={t('fields.greeting')}
            hint={t('sayings.greetingHint')}
            placeholder={t('sayings.greetingExample')}
          />
          <LinesField
            form={form}
            name="goodbye"
            label={t('fields.goodbye')}
            hint={t('sayings.goodbyeHint')}
            placeholder={t('sayings.goodbyeExample')}
          />
          <AnswerRows form={form} />
          <LinesField
            form={form}
            name="neverSay"
            label={t('fields.neverSays')}
            hint={t('sayings.neverSaysHint')}
            placeholder={t('sayings.neverSaysExample')}
          />
          <LinesField
            form={form}
            name="handOverWhen"
            label={t('sayings.takeover')}
            hint={t('sayings.takeoverHint')}
            placeholder={t('sayings.takeoverExample')}
          />
        </div>
      </details>
    </div>
  );
}
