import type { AgentProfile, DialogueMessage, WholeReply } from '#server/dialogue/contract';

/** What a good reply to a question is: the knowledge answers it, does not, or cannot know what is meant. */
export type Nature = 'answerable' | 'unanswerable' | 'vague';

export interface Verdict {
  right: boolean;
  /** Says what no reply may say: worse than missing what was wanted. */
  rejected: boolean;
  /** Why, in a word or two; absent where a pattern says no more than yes or no. */
  why?: string;
}

/** A question and how its reply is judged. */
export interface Case {
  /** The set's own word for this sort of question. */
  kind: string;
  nature: Nature;
  question: string;
  /** What the customer says first, answered but not judged. */
  before: readonly string[];
  /** What was said first, both sides: instead of `before`. */
  given?: readonly DialogueMessage[];
  /** A right answer in words, by which the customer chooses among what is named to them; null where there is none. */
  ideal: string | null;
  judge(reply: WholeReply): Verdict;
}

/** Questions put to one agent. */
export interface Round {
  /** Rounds of one title share a table. */
  title: string;
  half: 'dev' | 'held-out';
  /** This round's row in the table. */
  name: string;
  agent: AgentProfile;
  /** In one conversation, each after the one before; otherwise each in a conversation of its own. */
  together: boolean;
  cases: readonly Case[];
  dialogues: readonly ScriptedDialogue[];
}

/** Turns to be read by eye, each with what a good agent does. */
type ScriptedDialogue = readonly { user: string; good: string }[];

export interface Judged {
  text: string;
  outcome: WholeReply['outcome'];
  verdict: Verdict;
  trace: readonly string[];
  /** How long the first sentence took, in ms. */
  ms: number;
}

/** A case that was asked. */
export interface Asked {
  round: Round;
  case: Case;
  first: Judged;
  /** After an offer or a question of the agent's: what the customer said to it, and the reply. */
  second: (Judged & { said: string }) | null;
}

export const right = ({ first, second }: Asked) => first.verdict.right || (second?.verdict.right ?? false);
