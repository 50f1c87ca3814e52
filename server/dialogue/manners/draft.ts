import type { LanguagePack } from '#server/languages/contract';
import type { ReadMessage } from '#server/languages/messages';
import type { ExpectedAnswer } from '#server/languages/turn-taking';
import type { Moment, Voice } from '#server/languages/wording';
import type { Citation, Outcome } from '#shared/conversations';
import type { SaidValues } from '../actions/inputs.ts';
import type { CustomerTurn, WholeReply } from '../contract.ts';
import type { AgentInstructions } from '../instructions.ts';
import type { Knowing } from '../knowledge/find.ts';
import type { DialogueState } from './state.ts';

export interface GroundedReply extends WholeReply {
  /** Those that were not said ahead of the others. */
  sentences: string[];
  expects: ExpectedAnswer | null;
  /** For the evaluation's print-out. */
  trace: string[];
}

/** What a reply consists of before it is put together. */
export interface Draft {
  sentences: readonly string[];
  outcome: Outcome;
  citations?: readonly Citation[];
  /** What changes in the state; nothing is asked of the customer unless it says so. */
  state?: Partial<DialogueState>;
  /** What the reply asks for, where it is not simply what is `pending` in the state. */
  expects?: ExpectedAnswer;
  topic?: string;
  /** What it leaves the call to, where that is not the customer's turn. */
  leavesTo?: WholeReply['leavesTo'];
  trace?: readonly string[];
  /** The sentences are said at once, and then what this brings. */
  afterwards?: () => Promise<Draft>;
}

/** A customer's turn with all that decides how it is met. */
export interface Turn {
  knowing: Knowing;
  turn: CustomerTurn;
  state: DialogueState;
  language: LanguagePack;
  message: ReadMessage;
  /** What the message says for inputs of actions. */
  values: SaidValues;
  voice: Voice;
  /** What its business told the agent to do. */
  instructions: AgentInstructions;
  /** The moment the turn is answered, where the business is. */
  moment: Moment;
  signal: AbortSignal;
}
