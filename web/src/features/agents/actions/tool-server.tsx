import { useState } from 'react';
import type { OfferedTool } from '#shared/actions';
import { t } from '#web/texts/agents';
import { Badge } from '#web/ui/badge';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Field } from '#web/ui/forms/field';
import { Input } from '#web/ui/forms/input';
import { PasswordInput } from '#web/ui/forms/password-input';
import { type ActionFormValues, noAction } from './action-form-values.ts';
import { useTools } from './api.ts';

interface ToolServerProps {
  agentId: string;
  /** Opens a tool as an unsaved action. */
  onPick: (start: ActionFormValues) => void;
}

/** The tools of a server that speaks the Model Context Protocol, to switch on as actions. */
export function ToolServer({ agentId, onPick }: ToolServerProps) {
  const tools = useTools(agentId);
  const [url, setUrl] = useState('');
  const [token, setToken] = useState('');
  const header = token ? [{ name: 'Authorization', value: `Bearer ${token}`, isKept: false }] : [];
  const pick = ({ name, description, inputs, readOnly }: OfferedTool) =>
    onPick({
      ...noAction,
      name: name.replaceAll(/[_-]+/g, ' ').slice(0, 60),
      when: description.slice(0, 500),
      inputs: inputs.map(({ pattern = '', ...input }) => ({ ...input, pattern })),
      method: 'MCP',
      url,
      tool: name,
      headers: header,
      confirm: !readOnly,
      says: '{answer.text}',
    });
  return (
    <div className="-mx-1 mt-5 flex min-h-0 flex-col gap-5 overflow-y-auto px-1 pb-1">
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          tools.mutate({ url, headers: Object.fromEntries(header.map(({ name, value }) => [name, value])) });
        }}
      >
        <Field label={t('toolServer.address')}>
          {(control) => (
            <Input
              {...control}
              inputMode="url"
              placeholder={t('toolServer.addressExample')}
              value={url}
              onChange={({ target }) => setUrl(target.value)}
            />
          )}
        </Field>
        <Field label={t('toolServer.token')} hint={t('toolServer.tokenHint')}>
          {(control) => (
            <PasswordInput
              {...control}
              autoComplete="off"
              value={token}
              onChange={({ target }) => setToken(target.value)}
            />
          )}
        </Field>
        <Button type="submit" className="self-start" busy={tools.isPending} disabled={url.trim() === ''}>
          {t('toolServer.list')}
        </Button>
      </form>
      {tools.error && (
        <Banner tone="error" role="alert">
          {tools.error.message}
        </Banner>
      )}
      {tools.data?.length === 0 && <p className="text-ink-muted">{t('toolServer.none')}</p>}
      {tools.data && tools.data.length > 0 && (
        <ul className="flex flex-col divide-y divide-line">
          {tools.data.map((tool) => (
            <li key={tool.name} className="flex items-start justify-between gap-4 py-3">
              <div className="min-w-0">
                <p className="wrap-anywhere font-medium">
                  {tool.name} {tool.readOnly && <Badge>{t('toolServer.readsOnly')}</Badge>}
                </p>
                <p className="mt-0.5 text-ink-muted text-sm">{tool.problem ?? tool.description}</p>
              </div>
              <Button
                variant="secondary"
                size="sm"
                disabled={tool.problem !== undefined}
                onClick={() => pick(tool)}
              >
                {t('toolServer.switchOn')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
