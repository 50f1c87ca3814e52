import { useId, useState } from 'react';
import type { Action, TriedAction } from '#shared/actions';
import { t } from '#web/texts/agents';
import { Badge } from '#web/ui/badge';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Field } from '#web/ui/forms/field';
import { Input } from '#web/ui/forms/input';
import { useTryAction } from './api.ts';

/** Runs an action for real and shows the request, the answer and the sentence for the customer. */
export function TryAction({ agentId, action }: { agentId: string; action: Action }) {
  const trying = useTryAction(agentId, action._id);
  const [inputs, setInputs] = useState<Record<string, string>>({});
  return (
    <div className="-mx-1 mt-5 flex min-h-0 flex-col gap-4 overflow-y-auto px-1 pb-1">
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          trying.mutate(inputs);
        }}
      >
        {action.inputs.map(({ name, label }) => (
          <Field key={name} label={label}>
            {(control) => (
              <Input
                {...control}
                value={inputs[name] ?? ''}
                onChange={({ target }) => setInputs({ ...inputs, [name]: target.value })}
              />
            )}
          </Field>
        ))}
        <Button type="submit" className="self-start" busy={trying.isPending}>
          {t('tryAction.run')}
        </Button>
      </form>
      {trying.error && (
        <Banner tone="error" role="alert">
          {trying.error.message}
        </Banner>
      )}
      {trying.data && <Result tried={trying.data} />}
    </div>
  );
}

function Result({ tried }: { tried: TriedAction }) {
  const { request, status, ms, response, said, problem } = tried;
  return (
    <div role="status" className="flex flex-col gap-4">
      <div>
        <h3 className="font-semibold text-sm">{t('tryAction.customerHears')}</h3>
        <p className="mt-1">{said}</p>
      </div>
      {problem && <Banner tone="warning">{problem}</Banner>}
      <Shown
        title={t('tryAction.request')}
        text={`${request.method} ${request.url}\n${headersOf(request)}${bodyOf(request.body)}`}
      />
      <div className="flex items-center gap-2">
        <Badge tone={problem ? 'negative' : 'positive'}>{status ?? t('tryAction.noAnswer')}</Badge>
        <span className="numbers text-ink-muted text-sm">{t('tryAction.milliseconds', { ms })}</span>
      </div>
      <Shown
        title={t('tryAction.answer')}
        text={typeof response === 'string' ? response : JSON.stringify(response ?? null, null, 2)}
      />
    </div>
  );
}

const headersOf = ({ headers }: TriedAction['request']) =>
  Object.keys(headers)
    .map((name) => `${name}: ${t('tryAction.secret')}\n`)
    .join('');
const bodyOf = (body: unknown) => (body === undefined ? '' : `\n${JSON.stringify(body, null, 2)}`);

function Shown({ title, text }: { title: string; text: string }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="font-semibold text-sm">
        {title}
      </h3>
      <pre className="wrap-anywhere mt-1 max-h-60 overflow-auto whitespace-pre-wrap rounded-md border border-line bg-sunken p-3 text-sm">
        {text}
      </pre>
    </section>
  );
}
