import type { Tool, ToolCall } from '#server/engines/language/contract';
import type { LanguagePack } from '#server/languages/contract';
import type { Work } from '#server/lib/linear-pattern';
import { untilAborted } from '#server/lib/wait';
import type { ActionInput } from '#shared/actions';
import type { AgentAction, CustomerTurn, DialogueMessage } from '../contract.ts';
import { checkedValue, type Given, holdsValue, readBack, workOfAMessage } from './inputs.ts';

/** A model that asks for more does not know what it wants. */
const MAX_CALLS = 4;

/** An action that the customer must say yes to before it is done; plain JSON that is kept in the dialogue's state. */
export interface Unconfirmed {
  actionId: string;
  given: Given;
}

/** What came of a call: what the model is told, as data. */
export interface ToolResult {
  /** For role `tool`: JSON of `{ok, …}`. */
  result: string;
  /** What may be said of it, and what its system answered: sentences of a reply may rest on it. */
  told: string[];
  /** It waits for a yes: what to read back to the customer, word for word, and to keep until they answer. */
  ask?: { sentences: string[]; unconfirmed: Unconfirmed };
}

/** The actions of an agent as a language model uses them. For one turn. */
export interface ActionTools {
  /** None where the agent has no actions. */
  readonly tools: readonly Tool[];
  /** Answers a call with what went wrong instead of rejecting. Rejects with the signal's reason alone. */
  call(call: ToolCall, signal: AbortSignal): Promise<ToolResult>;
}

/**
 * Gives the actions of a turn as tools, and runs what a model calls: inputs are checked as a customer's words are. What has
 * to be confirmed is read back, and done by the customer's word in the next turn, not by a model's.
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
      // The same tool for ever answers as at first.
      let running = done.get(wish);
      if (!running) {
        running = run(action, given, signal);
        done.set(wish, running);
      }
      return running;
    },
  };

  /** In a room a model takes what anybody said for its customer's words. */
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

/** The checked inputs of a call, or what is wrong with it. */
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

/** Names as models may use them, each once: "Order status" → order_status. */
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
