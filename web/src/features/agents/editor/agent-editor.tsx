import { zodResolver } from '@hookform/resolvers/zod';
import { FlaskConical, Sparkles } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import {
  type AgentDraft,
  MAX_AGENT_NAME_CHARACTERS,
  MAX_COMPANY_NAME_CHARACTERS,
  MAX_PERSONALITY_CHARACTERS,
} from '#shared/agents';
import { ApiError } from '#web/lib/server/api-error';
import { getSession } from '#web/lib/server/session';
import { useMedia } from '#web/lib/use-media';
import { useStoredFlag } from '#web/lib/use-stored-flag';
import { t } from '#web/texts/agents';
import { t as common } from '#web/texts/common';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Card } from '#web/ui/card';
import { Field } from '#web/ui/forms/field';
import { Input } from '#web/ui/forms/input';
import { Textarea } from '#web/ui/forms/textarea';
import { Dialog } from '#web/ui/layers/dialog';
import { toast } from '#web/ui/layers/toast';
import { SeeEffect } from '../effects/see-effect.tsx';
import { TryOutPanel } from '../try-out/try-out-panel.tsx';
import { useTryOut } from '../try-out/use-try-out.ts';
import {
  type AgentFormValues,
  agentFormSchema,
  emptyAgent,
  toDraft,
  toFormValues,
} from './agent-form-values.ts';
import { CharacterCount } from './character-count.tsx';
import { CompanyInfoField } from './company-info-field.tsx';
import { keepDraft, takeDraft } from './kept-draft.ts';
import { MasksField } from './masks-field.tsx';
import { PromptRows } from './prompt-rows.tsx';
import { SayingsSection } from './sayings/sayings-section.tsx';
import { useLeaveGuard } from './use-leave-guard.tsx';
import { WritingHelp } from './writing-help.tsx';

// Loaded on demand, because the examples are long texts.
const ExamplesDialog = lazy(async () => ({
  default: (await import('./examples-dialog.tsx')).ExamplesDialog,
}));

/** Labels of the button, before and while saving. */
interface SubmitWords {
  idle: string;
  busy: string;
}

interface AgentEditorProps {
  /** The agent to change; without one, an empty form with examples to start from. */
  start?: AgentDraft;
  /** The agent's id, if it is saved. */
  agentId?: string;
  /** Identifies the agent's form: the draft under this key outlives an expired session. */
  draftKey: string;
  words: SubmitWords;
  /** Stores the draft; `explain` explains its errors. @param letPass call it before leaving */
  onSave: (draft: AgentDraft, letPass: () => void) => Promise<void>;
  /** The text beside the buttons after a failed save. */
  explain: (error: unknown, draft: AgentDraft, letPass: () => void) => ReactNode;
  onCancel: () => void;
  /** A notice about the agent being changed; gets a function that puts another version into the form. */
  notice?: (bringBack: (draft: AgentDraft) => void) => ReactNode;
}

/** Edits an agent, which can be tried before it is saved. */
export function AgentEditor({
  start,
  agentId,
  draftKey,
  words,
  onSave,
  explain,
  onCancel,
  notice,
}: AgentEditorProps) {
  const form = useForm<AgentFormValues>({
    resolver: zodResolver(agentFormSchema),
    defaultValues: start ? toFormValues(start) : emptyAgent,
  });
  const { errors, isSubmitting, isDirty, submitCount } = form.formState;
  const [failure, setFailure] = useState<ReactNode>(null);
  const [examplesWanted, setExamplesWanted] = useState(false);
  const [examplesOpen, setExamplesOpen] = useState(false);
  const [sheetOpen, setSheetOpen] = useState(false);
  const [voiceOn, setVoiceOn] = useStoredFlag('sigma.voice', true);
  const isWide = useMedia('(min-width: 64rem)');
  const { question, letPass } = useLeaveGuard(isDirty);
  const unsaved = useRef(false);
  unsaved.current = isDirty;

  useEffect(() => {
    const kept = takeDraft(draftKey);
    if (kept) {
      form.reset(kept, { keepDefaultValues: true });
      toast.info(t('editor.draftBack'));
    }
    return () => {
      // The session has expired, so the person did not choose to leave.
      if (unsaved.current && getSession().token === null) keepDraft(draftKey, form.getValues());
    };
  }, [draftKey, form]);

  const complete = async (shouldFocus: boolean) => {
    const isComplete = await form.trigger(undefined, { shouldFocus });
    const values = agentFormSchema.safeParse(form.getValues());
    return isComplete && values.success ? toDraft(values.data) : null;
  };
  const tryOut = useTryOut(() => complete(isWide), voiceOn, agentId);

  const submit = form.handleSubmit(async (values) => {
    const draft = toDraft(values);
    setFailure(null);
    try {
      await onSave(draft, letPass);
      // Later changes are compared with this state.
      form.reset(toFormValues(draft), { keepSubmitCount: true });
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : {};
      for (const field of ['name', 'companyName', 'personality', 'companyInfo'] as const) {
        const message = fields[field];
        if (message) form.setError(field, { message });
      }
      setFailure(explain(error, draft, letPass));
    }
  });

  const fill = (draft: AgentDraft) => {
    form.reset(toFormValues(draft), { keepDefaultValues: true });
    setFailure(null);
  };
  const panel = (
    <TryOutPanel
      tryOut={tryOut}
      voiceOn={voiceOn}
      onVoice={setVoiceOn}
      className={isWide ? 'h-[min(40rem,calc(100dvh-8rem))]' : '-mx-5 -mb-5 mt-3 flex-1'}
    />
  );

  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(20rem,24rem)]">
      <Card className="min-w-0 p-5 sm:p-6">
        {!start && (
          <div className="mb-6 flex flex-wrap items-center justify-between gap-3 rounded-md bg-accent-soft px-4 py-3">
            <p className="text-accent-text text-sm">{t('editor.newHere')}</p>
            <Button
              variant="secondary"
              size="sm"
              onClick={() => {
                setExamplesWanted(true);
                setExamplesOpen(true);
              }}
            >
              <Sparkles aria-hidden="true" />
              {t('examples.title')}
            </Button>
          </div>
        )}
        {notice?.(fill)}
        <form noValidate onSubmit={submit} className="flex flex-col gap-6">
          <div className="grid gap-6 sm:grid-cols-2">
            <div className="flex flex-col gap-1.5">
              <Field label={t('fields.name')} error={errors.name?.message}>
                {(control) => (
                  <Input
                    {...control}
                    {...form.register('name')}
                    required
                    dir="auto"
                    autoComplete="off"
                    placeholder={t('editor.nameExample')}
                  />
                )}
              </Field>
              <CharacterCount control={form.control} name="name" max={MAX_AGENT_NAME_CHARACTERS} />
            </div>
            <div className="flex flex-col gap-1.5">
              <Field label={t('fields.company')} error={errors.companyName?.message}>
                {(control) => (
                  <Input
                    {...control}
                    {...form.register('companyName')}
                    required
                    dir="auto"
                    autoComplete="organization"
                  />
                )}
              </Field>
              <CharacterCount control={form.control} name="companyName" max={MAX_COMPANY_NAME_CHARACTERS} />
            </div>
          </div>
          <div className="flex flex-col gap-1.5">
            <Field
              label={t('fields.personality')}
              hint={t('editor.personalityHint')}
              error={errors.personality?.message}
            >
              {(control) => (
                <Textarea
                  {...control}
                  {...form.register('personality')}
                  rows={3}
                  required
                  dir="auto"
                  className="resize-y"
                />
              )}
            </Field>
            <CharacterCount control={form.control} name="personality" max={MAX_PERSONALITY_CHARACTERS} />
          </div>
          <div className="flex flex-col gap-3">
            <CompanyInfoField form={form} />
            <WritingHelp control={form.control} agentId={agentId} />
          </div>
          <SayingsSection form={form} language={start?.language} />
          <PromptRows form={form} />
          <MasksField form={form} />
          {failure && (
            <Banner tone="error" role="alert" key={submitCount}>
              {failure}
            </Banner>
          )}
          <div className="flex flex-col-reverse gap-2.5 border-line border-t pt-5 sm:flex-row sm:justify-end">
            <Button variant="secondary" onClick={onCancel}>
              {common('cancel')}
            </Button>
            {!isWide && (
              <Button variant="secondary" onClick={() => setSheetOpen(true)}>
                <FlaskConical aria-hidden="true" />
                {t('tryOut.title')}
              </Button>
            )}
            {agentId && <SeeEffect agentId={agentId} draft={() => complete(true)} />}
            <Button type="submit" busy={isSubmitting}>
              {isSubmitting ? words.busy : words.idle}
            </Button>
          </div>
        </form>
      </Card>
      {isWide ? (
        <Card className="sticky top-21 overflow-hidden">
          <h2 className="px-4 pt-4 font-semibold text-lg tracking-[-0.01em]">{t('tryOut.title')}</h2>
          {panel}
        </Card>
      ) : (
        <Dialog open={sheetOpen} onOpenChange={setSheetOpen} title={t('tryOut.title')} side="right">
          {panel}
        </Dialog>
      )}
      {examplesWanted && (
        <Suspense>
          <ExamplesDialog
            open={examplesOpen}
            onOpenChange={setExamplesOpen}
            replaces={isDirty}
            onChoose={(example) => {
              fill(example);
              setExamplesOpen(false);
            }}
          />
        </Suspense>
      )}
      {question}
    </div>
  );
}
