import type { Action, ActionDraft, ActionInput } from '#shared/actions';
import { t } from '#web/texts/agents';

/** An action as its form holds it: only texts, with rows for repeated parts. */
export interface ActionFormValues {
  name: string;
  when: string;
  inputs: { name: string; label: string; type: ActionInput['type']; pattern: string; required: boolean }[];
  method: ActionDraft['method'];
  url: string;
  tool: string;
  /** Empty if a stored value was not changed. */
  headers: { name: string; value: string; isKept: boolean }[];
  body: string;
  confirm: boolean;
  says: string;
}

export const noAction: ActionFormValues = {
  name: '',
  when: '',
  inputs: [],
  method: 'GET',
  url: '',
  tool: '',
  headers: [],
  body: '',
  confirm: false,
  says: '',
};

export const valuesOf = ({
  inputs,
  headers,
  body,
  tool = '',
  ...action
}: Omit<Action, '_id'>): ActionFormValues => ({
  ...action,
  tool,
  inputs: inputs.map(({ pattern = '', ...input }) => ({ ...input, pattern })),
  headers: Object.keys(headers).map((name) => ({ name, value: '', isKept: true })),
  body: body === undefined ? '' : JSON.stringify(body, null, 2),
});

/** The draft for the server, whose schema checks it. A body that is no JSON is undefined, with `problem`. */
export function draftOf(values: ActionFormValues): { draft: unknown; problem: string | null } {
  const { inputs, headers, body, tool, method, ...rest } = values;
  const written = body.trim();
  let json: unknown;
  let problem: string | null = null;
  try {
    json = written && method !== 'GET' && method !== 'MCP' ? JSON.parse(written) : undefined;
  } catch {
    problem = t('action.invalidJson');
  }
  const draft = {
    ...rest,
    method,
    inputs: inputs.map(({ pattern, ...input }) => ({ ...input, ...(pattern.trim() ? { pattern } : {}) })),
    headers: Object.fromEntries(
      headers
        .filter(({ name }) => name.trim())
        .map(({ name, value, isKept }) => [name.trim(), isKept && value === '' ? null : value]),
    ),
    ...(method === 'MCP' ? { tool } : {}),
    ...(json === undefined ? {} : { body: json }),
  };
  return { draft, problem };
}
