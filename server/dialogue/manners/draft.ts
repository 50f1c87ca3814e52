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
  /** Sentences that were not said ahead of the others. */
  sentences: string[];
  expects: ExpectedAnswer | null;
  /** For the evaluation's print-out. */
  trace: string[];
}

/** The parts of a reply before it is put together. */
export interface Draft {
  sentences: readonly string[];
  outcome: Outcome;
  citations?: readonly Citation[];
  /** Changes of the state; the customer is asked nothing unless it says so. */
  state?: Partial<DialogueState>;
  /** The expected answer, if it differs from that of `pending` in the state. */
  expects?: ExpectedAnswer;
  topic?: string;
  /** What the reply expects next, if not the customer's turn. */
  leavesTo?: WholeReply['leavesTo'];
  trace?: readonly string[];
  /** Says the sentences at once, and then the result of this. */
  afterwards?: () => Promise<Draft>;
}

/** A customer's turn with everything that decides the reply. */
export interface Turn {
  knowing: Knowing;
  turn: CustomerTurn;
  state: DialogueState;
  language: LanguagePack;
  message: ReadMessage;
  /** Values for inputs of actions in the message. */
  values: SaidValues;
  voice: Voice;
  /** The business's instructions. */
  instructions: AgentInstructions;
  /** The current time at the business. */
  moment: Moment;
  signal: AbortSignal;
}
