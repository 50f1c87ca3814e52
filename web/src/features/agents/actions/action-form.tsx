import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useFieldArray, useForm } from 'react-hook-form';
import { actionDraftSchema, actionMethods } from '#shared/actions';
import { ApiError } from '#web/lib/server/api-error';
import { t } from '#web/texts/agents';
import { t as common } from '#web/texts/common';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Field } from '#web/ui/forms/field';
import { Input } from '#web/ui/forms/input';
import { Select } from '#web/ui/forms/select';
import { Switch } from '#web/ui/forms/switch';
import { Textarea } from '#web/ui/forms/textarea';
import { type ActionFormValues, draftOf } from './action-form-values.ts';
import { useSaveAction } from './api.ts';

const types = {
  digits: t('action.types.digits'),
  text: t('action.types.text'),
  email: t('action.types.email'),
  phone: t('action.types.phone'),
  date: t('action.types.day'),
} as const;

interface ActionFormProps {
  agentId: string;
  /** Null: a new one. */
  id: string | null;
  start: ActionFormValues;
  onSaved: () => void;
  onCancel: () => void;
}

/** The form of an action: its trigger, its inputs, its request, and the sentence afterwards. */
export function ActionForm({ agentId, id, start, onSaved, onCancel }: ActionFormProps) {
  const form = useForm<ActionFormValues>({ defaultValues: start });
  const inputs = useFieldArray({ control: form.control, name: 'inputs' });
  const headers = useFieldArray({ control: form.control, name: 'headers' });
  const save = useSaveAction(agentId);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const method = form.watch('method');
  const hasBody = method !== 'GET' && method !== 'MCP';

  const submit = form.handleSubmit(async (values) => {
    setFailure(null);
    const { draft, problem } = draftOf(values);
    const checked = actionDraftSchema.safeParse(draft);
    if (problem || !checked.success) {
      const issues = checked.error?.issues ?? [];
      setProblems({
        ...Object.fromEntries(issues.toReversed().map(({ path, message }) => [path.join('.'), message])),
        ...(problem ? { body: problem } : {}),
      });
      return;
    }
    setProblems({});
    try {
      await save.mutateAsync({ id, draft: checked.data });
      onSaved();
    } catch (error) {
      if (error instanceof ApiError && Object.keys(error.fields).length > 0) setProblems(error.fields);
      setFailure(error instanceof Error ? error.message : t('action.saveFailed'));
    }
  });

  const headerProblem = Object.entries(problems).find(([path]) => path.startsWith('headers'))?.[1];
  return (
    <form
      noValidate
      onSubmit={(event) => void submit(event)}
      aria-label={t('action.form')}
      className="-mx-1 mt-5 flex min-h-0 flex-col gap-5 overflow-y-auto px-1"
    >
      <Field label={t('action.name')} error={problems.name}>
        {(control) => <Input {...control} {...form.register('name')} placeholder={t('action.nameExample')} />}
      </Field>
      <Field label={t('action.when')} hint={t('action.whenHint')} error={problems.when}>
        {(control) => (
          <Textarea {...control} {...form.register('when')} rows={2} placeholder={t('action.whenExample')} />
        )}
      </Field>

      <fieldset className="flex flex-col gap-3">
        <legend className="mb-1.5 font-medium text-ink text-sm">{t('action.inputs')}</legend>
        {inputs.fields.map((row, at) => (
          <InputRow
            key={row.id}
            form={form}
            at={at}
            problem={Object.entries(problems).find(([path]) => path.startsWith(`inputs.${at}.`))?.[1]}
            onRemove={() => inputs.remove(at)}
          />
        ))}
        {problems.inputs && <p className="text-sm text-urgent-text">{problems.inputs}</p>}
        <Button
          variant="secondary"
          size="sm"
          className="self-start"
          onClick={() => inputs.append({ name: '', label: '', type: 'digits', pattern: '', required: true })}
        >
          <Plus aria-hidden="true" />
          {t('action.addInput')}
        </Button>
      </fieldset>

      {method === 'MCP' ? (
        <Field label={t('action.tool')} error={problems.tool}>
          {(control) => <Input {...control} {...form.register('tool')} readOnly />}
        </Field>
      ) : (
        <Field label={t('action.method')}>
          {(control) => (
            <Select {...control} {...form.register('method')}>
              {actionMethods
                .filter((each) => each !== 'MCP')
                .map((each) => (
                  <option key={each}>{each}</option>
                ))}
            </Select>
          )}
        </Field>
      )}
      <Field label={t('action.address')} hint={t('action.addressHint')} error={problems.url}>
        {(control) => (
          <Input
            {...control}
            {...form.register('url')}
            inputMode="url"
            placeholder={t('action.addressExample')}
          />
        )}
      </Field>

      <fieldset className="flex flex-col gap-2.5">
        <legend className="mb-1.5 font-medium text-ink text-sm">{t('action.headers')}</legend>
        <p className="-mt-1 text-ink-faint text-sm">{t('action.headersText')}</p>
        {headers.fields.map((row, at) => (
          <div key={row.id} className="flex flex-wrap items-start gap-2 sm:flex-nowrap">
            <Input
              {...form.register(`headers.${at}.name`)}
              aria-label={t('action.header', { number: at + 1 })}
              placeholder={t('action.headerExample')}
              className="sm:w-52"
            />
            <Input
              {...form.register(`headers.${at}.value`)}
              type="password"
              autoComplete="off"
              aria-label={t('action.headerValue', { number: at + 1 })}
              placeholder={row.isKept ? t('action.headerSet') : t('action.headerValueExample')}
              className="min-w-0 flex-1"
            />
            <Button
              variant="ghost"
              size="icon"
              aria-label={t('action.removeHeader', { number: at + 1 })}
              onClick={() => headers.remove(at)}
            >
              <Trash2 aria-hidden="true" />
            </Button>
          </div>
        ))}
        {headerProblem && <p className="text-sm text-urgent-text">{headerProblem}</p>}
        <Button
          variant="secondary"
          size="sm"
          className="self-start"
          onClick={() => headers.append({ name: '', value: '', isKept: false })}
        >
          <Plus aria-hidden="true" />
          {t('action.addHeader')}
        </Button>
      </fieldset>

      {hasBody && (
        <Field label={t('action.body')} hint={t('action.bodyHint')} error={problems.body}>
          {(control) => (
            <Textarea
              {...control}
              {...form.register('body')}
              rows={3}
              spellCheck={false}
              placeholder={t('action.bodyExample')}
              className="font-mono text-sm"
            />
          )}
        </Field>
      )}
      <Switch
        label={t('action.confirm')}
        hint={t('action.confirmHint')}
        checked={form.watch('confirm')}
        onChange={(confirm) => form.setValue('confirm', confirm)}
      />
      <Field label={t('action.answer')} hint={t('action.answerHint')} error={problems.says}>
        {(control) => (
          <Textarea
            {...control}
            {...form.register('says')}
            rows={2}
            placeholder={t('action.answerExample')}
          />
        )}
      </Field>

      {failure && (
        <Banner tone="error" role="alert">
          {failure}
        </Banner>
      )}
      <div className="flex justify-end gap-2.5 pb-1">
        <Button variant="secondary" onClick={onCancel}>
          {common('cancel')}
        </Button>
        <Button type="submit" busy={save.isPending}>
          {t('action.save')}
        </Button>
      </div>
    </form>
  );
}

interface InputRowProps {
  form: ReturnType<typeof useForm<ActionFormValues>>;
  at: number;
  problem: string | undefined;
  onRemove: () => void;
}

/** One input that the customer is asked for. */
function InputRow({ form, at, problem, onRemove }: InputRowProps) {
  const said = t('action.input', { number: at + 1 });
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line bg-sunken p-3">
      <div className="grid gap-2 sm:grid-cols-2">
        <Input
          {...form.register(`inputs.${at}.label`)}
          aria-label={t('action.inputLabel', { input: said })}
          placeholder={t('action.inputLabelExample')}
        />
        <Input
          {...form.register(`inputs.${at}.name`)}
          aria-label={t('action.inputName', { input: said })}
          placeholder={t('action.inputNameExample')}
        />
        <Select {...form.register(`inputs.${at}.type`)} aria-label={t('action.inputType', { input: said })}>
          {Object.entries(types).map(([type, name]) => (
            <option key={type} value={type}>
              {name}
            </option>
          ))}
        </Select>
        <Input
          {...form.register(`inputs.${at}.pattern`)}
          aria-label={t('action.inputPattern', { input: said })}
          placeholder={t('action.inputPatternExample')}
          spellCheck={false}
        />
      </div>
      <div className="flex items-center justify-between gap-2">
        <label className="flex items-center gap-2 text-ink-muted text-sm">
          <input
            type="checkbox"
            {...form.register(`inputs.${at}.required`)}
            className="size-4 accent-accent"
          />
          {t('action.required')}
        </label>
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={t('action.removeInput', { input: said })}
          onClick={onRemove}
        >
          <Trash2 aria-hidden="true" />
        </Button>
      </div>
      {problem && <p className="text-sm text-urgent-text">{problem}</p>}
    </div>
  );
}
