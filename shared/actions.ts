import { z } from 'zod';
import { requiredText } from './agents.ts';
import { type Reason, refusal, sentenceOf } from './refusals/refusal.ts';

/** Far more than one call needs, few enough to be compared with every message. */
export const MAX_ACTIONS_PER_AGENT = 30;
const MAX_INPUTS = 8;
const MAX_HEADERS = 20;
const MAX_BODY_CHARACTERS = 20_000;
const MAX_HEADER_CHARACTERS = 4_000;
const MAX_PATTERN_CHARACTERS = 200;
const MAX_URL_CHARACTERS = 2_000;
/** Longest value of one input. */
export const MAX_INPUT_CHARACTERS = 500;

/** The type of an input: an order number, for example, is `digits`, or `text` with a pattern. */
const inputTypes = ['text', 'digits', 'email', 'phone', 'date'] as const;
export type InputType = (typeof inputTypes)[number];

/** The HTTP method; `MCP` is a tool of a server that speaks the Model Context Protocol. */
export const actionMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'MCP'] as const;

/** A placeholder for an input, such as `{order}`. */
const placeholder = /\{([A-Za-z]\w*)\}/g;

const isRegExp = (source: string) => {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
};

/** A value that the customer is asked for. */
export const actionInputSchema = z.object({
  name: z
    .string()
    .regex(/^[A-Za-z]\w{0,39}$/, sentenceOf(refusal('actions.input-name', { max: 40 })))
    .refine((name) => name !== 'answer', sentenceOf('actions.input-name-answer')),
  /** Its name in the call: "order number". */
  label: requiredText(80, 'actions.input-label-missing', 'actions.input-label-too-long'),
  type: z.enum(inputTypes, sentenceOf('actions.input-type')),
  /** A regular expression that must match the whole value. */
  pattern: z
    .string()
    .min(1, sentenceOf('actions.pattern-empty'))
    .max(
      MAX_PATTERN_CHARACTERS,
      sentenceOf(refusal('actions.pattern-too-long', { max: MAX_PATTERN_CHARACTERS })),
    )
    .refine(isRegExp, sentenceOf('actions.pattern-invalid'))
    .optional(),
  required: z.boolean().default(true),
});
export type ActionInput = z.infer<typeof actionInputSchema>;

const headerName = z.string().regex(/^[!#$%&'*+\-.^_`|~\dA-Za-z]{1,100}$/, sentenceOf('actions.header-name'));
const headerValue = z
  .string()
  .max(MAX_HEADER_CHARACTERS, sentenceOf(refusal('actions.header-too-long', { max: MAX_HEADER_CHARACTERS })))
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, sentenceOf('actions.header-value'));
/** Headers that belong to the connection itself. */
const ownHeaders = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'idempotency-key']);

/** `null` keeps the stored value. */
const actionHeadersSchema = z
  .record(headerName, headerValue.nullable())
  .refine(
    (headers) => Object.keys(headers).length <= MAX_HEADERS,
    sentenceOf(refusal('actions.header-too-many', { max: MAX_HEADERS })),
  )
  .refine(
    (headers) => !Object.keys(headers).some((name) => ownHeaders.has(name.toLowerCase())),
    sentenceOf('actions.header-reserved'),
  );

/** An address whose host does not depend on inputs, so that no customer's words lead elsewhere. */
const actionUrlSchema = z
  .string()
  .trim()
  .max(MAX_URL_CHARACTERS, sentenceOf(refusal('actions.url-too-long', { max: MAX_URL_CHARACTERS })))
  .refine((address) => {
    const url = URL.parse(address.replace(placeholder, 'x'));
    return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
  }, sentenceOf('actions.url-invalid'))
  .refine((address) => !/^[a-z]+:\/\/[^/?#]*\{/i.test(address), sentenceOf('actions.url-input-in-host'));

/** The texts of a new or changed action. */
export const actionDraftSchema = z
  .object({
    name: requiredText(60, 'actions.name-missing', 'common.name-too-long'),
    /** When to use it, in customers' words or a description of them. */
    when: requiredText(500, 'actions.when-missing', 'actions.when-too-long'),
    inputs: z
      .array(actionInputSchema)
      .max(MAX_INPUTS, sentenceOf(refusal('actions.input-too-many', { max: MAX_INPUTS })))
      .refine(
        (inputs) => new Set(inputs.map(({ name }) => name)).size === inputs.length,
        sentenceOf('actions.input-name-double'),
      ),
    method: z.enum(actionMethods, sentenceOf('actions.method')),
    url: actionUrlSchema,
    /** The tool of the server at `url`; only with method MCP. */
    tool: z.string().min(1).max(200).optional(),
    headers: actionHeadersSchema.optional(),
    /** Sent as JSON. */
    body: z
      .unknown()
      .refine(
        (body) => (JSON.stringify(body) ?? '').length <= MAX_BODY_CHARACTERS,
        sentenceOf(refusal('actions.body-too-long', { max: MAX_BODY_CHARACTERS })),
      )
      .optional(),
    /** Whether the customer confirms it first. */
    confirm: z.boolean(),
    /** The sentence said afterwards; `{answer.status}` stands for a field of the answer. */
    says: requiredText(500, 'actions.says-missing', 'actions.says-too-long'),
  })
  .superRefine((draft, context) => {
    const known = new Set(draft.inputs.map(({ name }) => name));
    const refuse = (path: string, why: Reason) =>
      context.addIssue({ code: 'custom', path: [path], message: sentenceOf(why) });
    const written = {
      url: draft.url,
      headers: JSON.stringify(Object.values(draft.headers ?? {})),
      body: JSON.stringify(stringsIn(draft.body ?? null)),
    };
    for (const [field, text] of Object.entries(written))
      for (const [, name = ''] of text.matchAll(placeholder))
        if (!known.has(name)) refuse(field, refusal('actions.input-unknown', { name }));
    for (const [, name = ''] of draft.says.matchAll(placeholder))
      if (!known.has(name))
        refuse('says', refusal('actions.input-unknown-in-answer', { name, field: `{answer.${name}}` }));
    if ((draft.method === 'MCP') !== (draft.tool !== undefined)) refuse('tool', 'actions.method-and-tool');
    if (draft.method === 'GET' && draft.body !== undefined) refuse('body', 'actions.body-with-get');
  });
export type ActionDraft = z.infer<typeof actionDraftSchema>;

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** An action as the API returns it: of headers only their names. */
export const actionSchema = z.object({
  _id: z.string(),
  name: z.string(),
  when: z.string(),
  inputs: z.array(actionInputSchema),
  method: z.enum(actionMethods),
  url: z.string(),
  tool: z.string().optional(),
  headers: z.record(z.string(), z.null()),
  body: z.unknown().optional(),
  confirm: z.boolean(),
  says: z.string(),
  /** Why part of it is not used: a stored pattern that is no longer usable. */
  problem: z.string().optional(),
});
export type Action = z.infer<typeof actionSchema>;

/** Body of POST …/actions/{actionId}/try. */
export const actionTrySchema = z.object({
  inputs: z.record(z.string(), z.string().max(MAX_INPUT_CHARACTERS)).default({}),
});

/** The request sent and the answer received. */
export const triedActionSchema = z.object({
  request: z.object({
    method: z.string(),
    url: z.string(),
    /** Secret values are not shown. */
    headers: z.record(z.string(), z.string().nullable()),
    body: z.unknown().optional(),
  }),
  /** Of the answer; null without one. */
  status: z.number().int().nullable(),
  ms: z.number().int(),
  response: z.unknown(),
  /** The sentence that the customer would hear. */
  said: z.string(),
  /** The problem, for the owner. */
  problem: z.string().optional(),
});
export type TriedAction = z.infer<typeof triedActionSchema>;

/** Body of POST …/actions/tools: a server that speaks the Model Context Protocol. */
export const toolServerSchema = z.object({
  url: actionUrlSchema,
  /** `null` uses the value stored with an action of the same address. */
  headers: actionHeadersSchema.default({}),
});
export type ToolServer = z.infer<typeof toolServerSchema>;

/** A tool of a server, as an action would use it. */
export const offeredToolSchema = z.object({
  name: z.string(),
  description: z.string(),
  inputs: z.array(actionInputSchema),
  /** The tool declares that it changes nothing. */
  readOnly: z.boolean(),
  /** Why it cannot be switched on. */
  problem: z.string().optional(),
});
export type OfferedTool = z.infer<typeof offeredToolSchema>;

/** Outcomes of a run: `unknown` if it broke off and may have been done. */
export const runOutcomes = ['running', 'done', 'refused', 'failed', 'unknown'] as const;

/** An action run in a conversation. */
export const actionRunSchema = z.object({
  _id: z.string(),
  at: z.iso.datetime(),
  name: z.string(),
  inputs: z.record(z.string(), z.string()),
  outcome: z.enum(runOutcomes),
  status: z.number().int().optional(),
  ms: z.number().int().optional(),
  problem: z.string().optional(),
});
export type ActionRun = z.infer<typeof actionRunSchema>;
