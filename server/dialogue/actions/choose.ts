import type { AgentAction } from '../contract.ts';
import { find } from '../knowledge/find.ts';
import { likenessOf } from '../likeness.ts';
import type { Turn } from '../manners/draft.ts';
import { saidIn } from '../said.ts';

/** Cosine from which a customer's own matter is what an action is for: docs/actions.md says how it was found. */
const OWN = 0.55;
/** A question whether something can be done is like more things that are only written about. */
const ASKED = 0.65;
/** From here on it is asked for, whatever is written about it. */
const SURELY_ASKED = 0.8;
/** Confidence from which on what the business wrote is told instead of doing what is likely wished. */
const SURELY_TOLD = 0.9;
/** Characters that are compared. */
const MAX_COMPARED = 600;

/**
 * The action that a message wants, by its meaning: what it says is compared with when each is used and what it is called.
 * A question for what holds in general is none for an action; nor is one that what the business wrote answers.
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
