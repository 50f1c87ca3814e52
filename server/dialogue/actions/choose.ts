import type { AgentAction } from '../contract.ts';
import { find } from '../knowledge/find.ts';
import { likenessOf } from '../likeness.ts';
import type { Turn } from '../manners/draft.ts';
import { saidIn } from '../said.ts';

/** Cosine above which a customer's own matter is an action's purpose: docs/actions.md says how it was found. */
const OWN = 0.55;
/** A question whether an action is possible resembles more topics that are only described. */
const ASKED = 0.65;
/** Above this it is requested, whatever is written about it. */
const SURELY_ASKED = 0.8;
/** Confidence above which the business's text is quoted instead of running a likely action. */
const SURELY_TOLD = 0.9;
/** Characters that are compared. */
const MAX_COMPARED = 600;

/**
 * The action that a message requests, by comparing its meaning with each action's use and name. A question about
 * general rules requests none, nor does one that the business's text answers.
 */
export async function chooseAction(around: Turn): Promise<AgentAction | null> {
  const { turn, message, language, knowing, values, signal } = around;
  const { questions } = language;
  const actions = turn.actions?.list ?? [];
  if (actions.length === 0 || message.needs.length === 0) return null;
  const said = saidIn(message).slice(0, MAX_COMPARED);
  const isOwn = message.isStatement || questions.needsOwnRecords(turn.text);
  const names = (action: AgentAction) => Object.keys(values.unasked(action.inputs)).length > 0;
  const possible =
    isOwn || message.needs.some(questions.wantsDone) ? actions : actions.filter((action) => names(action));
  if (possible.length === 0) return null;
  const likeness = await likenessOf(
    around,
    said,
    possible.map(({ name, when }) => [name, ...language.splitSentences(when)]),
  );
  const [best] = possible
    .map((action, at) => ({ action, likeness: likeness[at] ?? 0 }))
    .sort((one, other) => other.likeness - one.likeness);
  if (!best || best.likeness < OWN) return null;
  if (isOwn || names(best.action)) return best.action;
  if (best.likeness >= SURELY_ASKED) return best.action;
  if (best.likeness < ASKED) return null;
  const found = await find(knowing, turn.agent, { text: said, context: null }, signal);
  return found.confidence < SURELY_TOLD ? best.action : null;
}
