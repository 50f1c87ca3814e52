import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useFieldArray, useForm } from 'react-hook-form';
import { actionDraftSchema, actionMethods } from '#shared/actions';
import { ApiError } from '#web/lib/server/api-error';
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
  digits: 'Digits',
  text: 'Words or a code',
  email: 'E-mail address',
  phone: 'Phone number',
  date: 'Day',
} as const;

interface ActionFormProps {
  agentId: string;
  /** Null: a new one. */
  id: string | null;
  start: ActionFormValues;
  onSaved: () => void;
  onCancel: () => void;
}

/** Everything of one action: when it is used, what it asks for, what it calls, what is said afterwards. */
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
      setFailure(error instanceof Error ? error.message : 'Failed to save the action. Please try again.');
    }
  });

  const headerProblem = Object.entries(problems).find(([path]) => path.startsWith('headers'))?.[1];
  return (
    <form
      noValidate
      onSubmit={(event) => void submit(event)}
      aria-label="Action"
      className="-mx-1 mt-5 flex min-h-0 flex-col gap-5 overflow-y-auto px-1"
    >
      <Field label="Name" error={problems.name}>
        {(control) => <Input {...control} {...form.register('name')} placeholder="Order status" />}
      </Field>
      <Field
        label="When to use it"
        hint="As customers say it, or in words about them; a sentence for each."
        error={problems.when}
      >
        {(control) => (
          <Textarea
            {...control}
            {...form.register('when')}
            rows={2}
            placeholder="The customer asks where their order is."
          />
        )}
      </Field>

      <fieldset className="flex flex-col gap-3">
        <legend className="mb-1.5 font-medium text-ink text-sm">What the customer is asked for</legend>
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
          Add input
        </Button>
      </fieldset>

      {method === 'MCP' ? (
        <Field label="Tool" error={problems.tool}>
          {(control) => <Input {...control} {...form.register('tool')} readOnly />}
        </Field>
      ) : (
        <Field label="Method">
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
      <Field label="Address" hint="{order} stands for the input called order." error={problems.url}>
        {(control) => (
          <Input
            {...control}
            {...form.register('url')}
            inputMode="url"
            placeholder="https://shop.example.com/orders/{order}"
          />
        )}
      </Field>

      <fieldset className="flex flex-col gap-2.5">
        <legend className="mb-1.5 font-medium text-ink text-sm">Headers</legend>
        <p className="-mt-1 text-ink-faint text-sm">Values are kept encrypted and never shown again.</p>
        {headers.fields.map((row, at) => (
          <div key={row.id} className="flex flex-wrap items-start gap-2 sm:flex-nowrap">
            <Input
              {...form.register(`headers.${at}.name`)}
              aria-label={`Header ${at + 1}`}
              placeholder="Authorization"
              className="sm:w-52"
            />
            <Input
              {...form.register(`headers.${at}.value`)}
              type="password"
              autoComplete="off"
              aria-label={`Value of header ${at + 1}`}
              placeholder={row.isKept ? 'Set. Type to replace it.' : 'Bearer …'}
              className="min-w-0 flex-1"
            />
            <Button
              variant="ghost"
              size="icon"
              aria-label={`Remove header ${at + 1}`}
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
          Add header
        </Button>
      </fieldset>

      {hasBody && (
        <Field label="Body" hint="JSON, with {order} in its texts. Optional." error={problems.body}>
          {(control) => (
            <Textarea
              {...control}
              {...form.register('body')}
              rows={3}
              spellCheck={false}
              placeholder={'{ "order": "{order}" }'}
              className="font-mono text-sm"
            />
          )}
        </Field>
      )}
      <Switch
        label="Ask before it is done"
        hint="What was understood is read back, and done only after a yes. Keep it on for whatever cannot be taken back."
        checked={form.watch('confirm')}
        onChange={(confirm) => form.setValue('confirm', confirm)}
      />
      <Field
        label="What the agent says afterwards"
        hint="{answer.status} stands for a field of the JSON answer."
        error={problems.says}
      >
        {(control) => (
          <Textarea
            {...control}
            {...form.register('says')}
            rows={2}
            placeholder="Order {order} is {answer.status}."
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
          Cancel
        </Button>
        <Button type="submit" busy={save.isPending}>
          Save action
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

/** One thing that the customer is asked for. */
function InputRow({ form, at, problem, onRemove }: InputRowProps) {
  const said = `input ${at + 1}`;
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line bg-sunken p-3">
      <div className="grid gap-2 sm:grid-cols-2">
        <Input
          {...form.register(`inputs.${at}.label`)}
          aria-label={`Label of ${said}`}
          placeholder="order number"
        />
        <Input {...form.register(`inputs.${at}.name`)} aria-label={`Name of ${said}`} placeholder="order" />
        <Select {...form.register(`inputs.${at}.type`)} aria-label={`Type of ${said}`}>
          {Object.entries(types).map(([type, name]) => (
            <option key={type} value={type}>
              {name}
            </option>
          ))}
        </Select>
        <Input
          {...form.register(`inputs.${at}.pattern`)}
          aria-label={`Pattern of ${said}`}
          placeholder="Pattern, e.g. \d{4}"
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
          Required
        </label>
        <Button variant="ghost" size="icon-sm" aria-label={`Remove ${said}`} onClick={onRemove}>
          <Trash2 aria-hidden="true" />
        </Button>
      </div>
      {problem && <p className="text-sm text-urgent-text">{problem}</p>}
    </div>
  );
}
