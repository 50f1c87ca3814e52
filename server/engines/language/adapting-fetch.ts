import { readAtMost } from '#server/lib/read-at-most';
import type { ModelHabits } from './contract.ts';

/** Request parameters that a server may do without, by their names in OpenAI's API. */
const SPARE = [
  'max_completion_tokens',
  'max_tokens',
  'temperature',
  'stream_options',
  'reasoning_effort',
  'chat_template_kwargs',
  'tool_choice',
  'tools',
] as const;
type Spare = (typeof SPARE)[number];

/** Complaints that name no parameter, and the parameter they are about. */
const COMPLAINTS: readonly [RegExp, Spare | 'system'][] = [
  [
    /\bsystem\b.{0,20}\b(?:role|messages?|prompts?)\b.{0,40}\bnot\b|\bnot\b.{0,40}\bsystem\b.{0,20}\b(?:role|messages?|prompts?)\b/i,
    'system',
  ],
  [/\btools?\b.{0,40}\bnot\b|\bnot\b.{0,40}\b(?:tools?|function calling)\b/i, 'tools'],
  [/maximum context length|context (?:length|window|size)|too many tokens/i, 'max_completion_tokens'],
  [/maximum context length|context (?:length|window|size)|too many tokens/i, 'max_tokens'],
];
/** Bytes of a refusal that are read. */
const MAX_COMPLAINT = 64_000;
/** Most tries; each leaves out one more parameter. */
const MAX_TRIES = 6;

/**
 * Fetches from a server that may not know some parameters: if it refuses a request and names one of them, the
 * request is repeated without it, and so are all later ones.
 * @param habits a model that reasons is asked to do so briefly or not at all, if its server supports that
 */
export function adaptingFetch(inner: typeof fetch, habits: ModelHabits): typeof fetch {
  const refused = new Set<Spare | 'system'>();
  return async (input, init) => {
    const asked = objectIn(init?.body);
    if (!asked || init?.method !== 'POST') return inner(input, init);
    for (let attempt = 1; ; attempt++) {
      const body = adapted(asked, refused, habits);
      const response = await inner(input, { ...init, body: JSON.stringify(body) });
      if ((response.status !== 400 && response.status !== 422) || !response.body) return response;
      const complaint = (await readAtMost(response.body, MAX_COMPLAINT))?.toString() ?? '';
      const named = namedIn(complaint, body);
      if (named === null || attempt >= MAX_TRIES) {
        const { status, statusText, headers } = response;
        return new Response(complaint, { status, statusText, headers });
      }
      refused.add(named);
    }
  };
}

type Body = Readonly<Record<string, unknown>>;

function adapted(asked: Body, refused: ReadonlySet<string>, habits: ModelHabits): Body {
  const { max_tokens, ...others } = asked;
  const body: Record<string, unknown> = { ...others };
  if (Array.isArray(body.messages)) body.messages = withOneSystem(body.messages);
  // Use OpenAI's older name first: an older server would ignore the newer one silently and set no limit.
  if (max_tokens !== undefined) {
    if (!refused.has('max_tokens')) body.max_tokens = max_tokens;
    else body.max_completion_tokens = max_tokens;
  }
  if (habits.thinks && Array.isArray(body.messages)) {
    body.reasoning_effort = 'low';
    body.chat_template_kwargs = { enable_thinking: false };
  }
  for (const name of refused) if (name !== 'max_tokens') delete body[name];
  if (refused.has('tools')) delete body.tool_choice;
  if (refused.has('system')) body.messages = withoutSystem(body.messages);
  return body;
}

/** Joins system messages: many chat templates accept only one. */
function withOneSystem(messages: readonly unknown[]): unknown[] {
  const system = messages.filter((each) => roleOf(each) === 'system');
  if (system.length < 2) return [...messages];
  return [
    { role: 'system', content: system.map(contentOf).join('\n\n') },
    ...messages.filter((each) => roleOf(each) !== 'system'),
  ];
}

/** Moves the system text in front of the customer's first message. */
function withoutSystem(messages: unknown): unknown {
  if (!Array.isArray(messages)) return messages;
  const isSystem = (each: unknown) => roleOf(each) === 'system';
  const system = messages.filter(isSystem).map(contentOf).join('\n\n');
  const others = messages.filter((each) => !isSystem(each));
  const first = others.findIndex((each) => roleOf(each) === 'user');
  return others.map((each: unknown, n) =>
    n === first ? { role: 'user', content: `${system}\n\n${contentOf(each)}` } : each,
  );
}

const roleOf = (message: unknown): unknown =>
  typeof message === 'object' && message !== null ? Reflect.get(message, 'role') : undefined;
const contentOf = (message: unknown): string => {
  const content: unknown =
    typeof message === 'object' && message !== null ? Reflect.get(message, 'content') : '';
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
};

/** The parameter that a server complains of; null if it names none that can be left out. */
function namedIn(complaint: string, body: Body): Spare | 'system' | null {
  const isSent = (name: Spare | 'system') => (name === 'system' ? hasSystem(body) : name in body);
  const param = /"param"\s*:\s*"([\w.]+)"/.exec(complaint)?.[1]?.split('.')[0];
  const told = SPARE.find((name) => name === param && isSent(name));
  if (told) return told;
  const named = new Set(complaint.match(/\w+/g));
  const mentioned = SPARE.filter((name) => isSent(name) && named.has(name)).sort(
    (a, b) => complaint.search(a) - complaint.search(b),
  );
  return (
    mentioned[0] ?? COMPLAINTS.find(([about, name]) => isSent(name) && about.test(complaint))?.[1] ?? null
  );
}

const hasSystem = ({ messages }: Body): boolean =>
  Array.isArray(messages) && messages.some((each) => roleOf(each) === 'system');

function objectIn(body: unknown): Body | null {
  if (typeof body !== 'string') return null;
  try {
    const read: unknown = JSON.parse(body);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? { ...read } : null;
  } catch {
    return null;
  }
}
