import type { Tool, ToolCall } from '#server/engines/language/contract';
import type { LanguagePack } from '#server/languages/contract';
import type { Work } from '#server/lib/linear-pattern';
import { untilAborted } from '#server/lib/wait';
import type { ActionInput } from '#shared/actions';
import type { AgentAction, CustomerTurn, DialogueMessage } from '../contract.ts';
import { checkedValue, type Given, holdsValue, readBack, workOfAMessage } from './inputs.ts';

/** A model that calls more tools is going in circles. */
const MAX_CALLS = 4;

/** An action that needs the customer's yes first; plain JSON in the dialogue's state. */
export interface Unconfirmed {
  actionId: string;
  given: Given;
}

/** The result of a call: the model gets it as data. */
export interface ToolResult {
  /** For role `tool`: JSON of `{ok, …}`. */
  result: string;
  /** The sentence to say of it, and its system's answer: sentences of a reply may rest on these. */
  told: string[];
  /** It waits for a yes: the sentences to read back word for word, and the action to keep until the answer. */
  ask?: { sentences: string[]; unconfirmed: Unconfirmed };
}

/** The actions of an agent as tools of a language model, for one turn. */
export interface ActionTools {
  /** Empty if the agent has no actions. */
  readonly tools: readonly Tool[];
  /** Returns errors as results. Rejects only with the signal's reason. */
  call(call: ToolCall, signal: AbortSignal): Promise<ToolResult>;
}

/**
 * Offers the actions of a turn as tools, and runs the model's calls: inputs are checked like a customer's words. An
 * action that needs confirmation is read back, and runs by the customer's word in the next turn, never by a model's.
 */
export function actionTools(
  turn: Pick<CustomerTurn, 'actions'> & Partial<Pick<CustomerTurn, 'history' | 'text'>>,
  language: LanguagePack,
): ActionTools {
  const { say } = language;
  const actions = turn.actions?.list ?? [];
  const names = toolNames(actions);
  const done = new Map<string, Promise<ToolResult>>();
  const work = workOfAMessage();
  let calls = 0;

  return {
    tools: actions.map((action, place) => toolOf(action, names[place] ?? '')),
    async call(call, signal) {
      calls++;
      if (calls > MAX_CALLS)
        return failed('No more tools in this turn. Answer with what you have, or offer a colleague.');
      const action = actions[names.indexOf(call.name)];
      if (!action) return failed(`There is no tool called ${call.name}.`);
      const given = givenIn(action, call.input, work);
      if (typeof given === 'string') return failed(given);
      const others = action.inputs.find((input) => isOnlyOthers(input, given[input.name]));
      if (others) return failed(`Somebody else said that: ask this customer for the ${others.label}.`);
      const wish = JSON.stringify([action.id, Object.entries(given).sort()]);
      if (action.confirm)
        return {
          ...failed('The customer has to say yes first. They are being asked; say nothing of it yourself.'),
          ask: {
            sentences: say.confirmAction(action.name, readBack(action, given)),
            unconfirmed: { actionId: action.id, given },
          },
        };
      // The same call gets the same result again.
      let running = done.get(wish);
      if (!running) {
        running = run(action, given, signal);
        done.set(wish, running);
      }
      return running;
    },
  };

  /** In a room a model may take another person's words for its customer's. */
  function isOnlyOthers(input: ActionInput, value: string | undefined): boolean {
    const { history = [], text = '' } = turn;
    const isSaid = (by: (message: DialogueMessage) => boolean, ...more: string[]) =>
      [...history.filter(by).map(({ content }) => content), ...more].some(
        (said) => value !== undefined && holdsValue(said, input, value, language, work),
      );
    return isSaid(({ isOthers }) => isOthers === true) && !isSaid(({ isOthers }) => !isOthers, text);
  }

  async function run(action: AgentAction, inputs: Given, signal: AbortSignal): Promise<ToolResult> {
    if (!turn.actions) return failed('Nothing can be done.');
    const runAction = await untilAborted(turn.actions.taken, signal);
    const result = await runAction({ actionId: action.id, inputs }, signal);
    switch (result.outcome) {
      case 'done': {
        const answer = JSON.stringify(result.answer ?? null);
        return {
          result: JSON.stringify({ ok: true, say: result.said, answer: result.answer ?? null }),
          told: [result.said, answer],
        };
      }
      case 'refused':
        return failed('The system knows nothing of what was asked. Ask the customer to check it.');
      case 'failed':
        return failed('The system cannot be reached right now. Offer that a colleague gets back to them.');
      case 'unknown':
        return failed('It is not known whether it was done. Do not try again; offer a colleague.');
    }
  }
}

const failed = (why: string): ToolResult => ({ result: JSON.stringify({ ok: false, why }), told: [] });

/** The checked inputs of a call, or their problem. */
function givenIn({ inputs }: AgentAction, written: string, work: Work): Given | string {
  let args: unknown;
  try {
    args = JSON.parse(written || '{}');
  } catch {
    return 'The input is not valid JSON.';
  }
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return 'The input is no JSON object.';
  const given: Record<string, string> = {};
  for (const input of inputs) {
    const value: unknown = Object.hasOwn(args, input.name) ? Reflect.get(args, input.name) : undefined;
    if (value === undefined || value === null || value === '') {
      if (input.required) return `${input.name} is missing: ask the customer for the ${input.label}.`;
      continue;
    }
    const checked =
      typeof value === 'string' || typeof value === 'number'
        ? checkedValue(input, String(value), work)
        : null;
    if (checked === null) return `${input.name} is no ${input.label}: ask the customer for it.`;
    given[input.name] = checked;
  }
  return given;
}

function toolOf({ when, inputs, confirm }: AgentAction, name: string): Tool {
  return {
    name,
    description: `${when}${confirm ? ' The customer is asked for a yes before it is done.' : ''}`,
    input: {
      type: 'object',
      additionalProperties: false,
      required: inputs.filter(({ required }) => required).map(({ name }) => name),
      properties: Object.fromEntries(
        inputs.map(({ name, label, type, pattern }) => [
          name,
          {
            type: 'string',
            description: label,
            ...(type === 'date' ? { format: 'date' } : type === 'email' ? { format: 'email' } : {}),
            ...(pattern ? { pattern: `^(?:${pattern})$` } : type === 'digits' ? { pattern: '^\\d+$' } : {}),
          },
        ]),
      ),
    },
  };
}

/** Unique names in the form that models accept: "Order status" → order_status. */
function toolNames(actions: readonly AgentAction[]): string[] {
  const names: string[] = [];
  for (const [place, { name }] of actions.entries()) {
    const plain = name
      .toLowerCase()
      .replaceAll(/[^a-z\d]+/g, '_')
      .replaceAll(/^_|_$/g, '')
      .slice(0, 50);
    names.push(!plain || names.includes(plain) ? `${plain || 'action'}_${place + 1}` : plain);
  }
  return names;
}
