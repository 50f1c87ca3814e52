import type { AgentProfile, DialogueMessage, WholeReply } from '#server/dialogue/contract';

/** The kind of a good reply: the knowledge answers the question, does not, or the question is too vague. */
export type Nature = 'answerable' | 'unanswerable' | 'vague';

export interface Verdict {
  right: boolean;
  /** Says something forbidden: worse than missing the answer. */
  rejected: boolean;
  /** The reason, in a word or two; absent if a pattern only says yes or no. */
  why?: string;
}

/** A question and the judgement of its reply. */
export interface Case {
  /** The set's own word for this sort of question. */
  kind: string;
  nature: Nature;
  question: string;
  /** The customer's earlier messages, answered but not judged. */
  before: readonly string[];
  /** Earlier messages of both sides, instead of `before`. */
  given?: readonly DialogueMessage[];
  /** A right answer in words, by which the customer chooses among options; null without one. */
  ideal: string | null;
  judge(reply: WholeReply): Verdict;
}

/** Questions for one agent. */
export interface Round {
  /** Rounds of one title share a table. */
  title: string;
  half: 'dev' | 'held-out';
  /** This round's row in the table. */
  name: string;
  agent: AgentProfile;
  /** All in one conversation; otherwise each in its own. */
  together: boolean;
  cases: readonly Case[];
  dialogues: readonly ScriptedDialogue[];
}

/** Turns to be read by eye, each with a good agent's reply. */
type ScriptedDialogue = readonly { user: string; good: string }[];

export interface Judged {
  text: string;
  outcome: WholeReply['outcome'];
  verdict: Verdict;
  trace: readonly string[];
  /** Time of the first sentence, in ms. */
  ms: number;
}

/** A case with its reply. */
export interface Asked {
  round: Round;
  case: Case;
  first: Judged;
  /** After an offer or a question of the agent: the customer's answer, and the reply. */
  second: (Judged & { said: string }) | null;
}

export const right = ({ first, second }: Asked) => first.verdict.right || (second?.verdict.right ?? false);
