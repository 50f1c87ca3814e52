import type { LanguagePack } from '#server/languages/contract';
import type { Consent } from '#server/languages/messages';
import type { SaidInput } from '#server/languages/wording';
import type { AgentAction, CustomerTurn } from '../contract.ts';
import { isAskedOfAnother, type Pending } from '../manners/state.ts';
import { readBack } from './inputs.ts';

export type PendingAction = Extract<Pending, { is: 'action' }>;

/** The action that a conversation waits for; undefined if it was deleted meanwhile. */
export const actionOf = ({ actions }: Pick<CustomerTurn, 'actions'>, { actionId }: PendingAction) =>
  actions?.list.find(({ id }) => id === actionId);

/** An action that waits for a yes, with the inputs read back. */
interface Unanswered {
  action: AgentAction;
  inputs: SaidInput[];
}

/** The action that only waits for a yes: all its inputs are known. */
export function waitingForYes(
  turn: Pick<CustomerTurn, 'actions'>,
  pending: Pending | null,
): (Unanswered & { pending: PendingAction }) | null {
  if (pending?.is !== 'action' || pending.asked !== null) return null;
  const action = actionOf(turn, pending);
  return action ? { action, inputs: readBack(action, pending.given), pending } : null;
}

/** A customer's answer to an action's question; null if it is neither yes nor no. */
export function consentTo(
  { agent, actions, text }: Pick<CustomerTurn, 'agent' | 'actions' | 'text'>,
  pending: PendingAction,
  { messages, say }: LanguagePack,
): Consent | null {
  const action = actionOf({ actions }, pending);
  if (!action) return null;
  return messages.consentIn(text, {
    readBack: say.confirmAction(action.name, readBack(action, pending.given)).join(' '),
    isYesAskedFor: pending.asked === null,
    agentName: agent.name,
  });
}

/** Whether a person in a room answers yes or no to another person's question. */
export const answersForAnother = (
  { agent, history, text }: Pick<CustomerTurn, 'agent' | 'history' | 'text'>,
  { messages }: LanguagePack,
): boolean =>
  isAskedOfAnother(history) &&
  messages.consentIn(text, { readBack: '', isYesAskedFor: true, agentName: agent.name }) !== null;
