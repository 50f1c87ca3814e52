import type {
  ActionCall,
  ActionResult,
  AgentAction,
  AgentProfile,
  CustomerTurn,
  RunAction,
} from '#server/dialogue/contract';
import type { ContactScope } from '#server/lib/scope';
import { maskedFor } from './masking/masked.ts';

/** The turn in which an action runs. */
interface RunContext {
  agent: AgentProfile;
  scope: ContactScope;
  conversationId: string;
  turnId: string;
  sharedCallId: string | null;
  masked(value: string): string;
}

/** Agents' actions in calls. */
export interface CallActions {
  listFor(agent: AgentProfile): Promise<AgentAction[]>;
  run(context: RunContext, call: ActionCall, signal: AbortSignal): Promise<ActionResult>;
}

/**
 * The actions of the dialogue in a turn; none if the agent has none.
 * @param turn null for a speculative turn: then actions wait until it is taken
 */
export async function turnActions(
  agent: AgentProfile,
  actions: CallActions | undefined,
  turn: Omit<RunContext, 'agent' | 'masked'> | null,
): Promise<Pick<CustomerTurn, 'actions'>> {
  const list = agent.ownerId === undefined ? [] : ((await actions?.listFor(agent)) ?? []);
  if (!actions || list.length === 0) return {};
  if (!turn) return { actions: { list, taken: new Promise(() => {}) } };
  const context = { ...turn, agent, masked: (value: string) => maskedFor(value, agent).text };
  const run: RunAction = (call, signal) => actions.run(context, call, signal);
  return { actions: { list, taken: Promise.resolve(run) } };
}
