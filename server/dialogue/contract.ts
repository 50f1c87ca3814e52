import type { ExpectedAnswer } from '#server/languages/turn-taking';
import type { ActionInput } from '#shared/actions';
import type { Mask, WritingHint } from '#shared/agents';
import type { Citation, Contact, Outcome } from '#shared/conversations';
import type { DecidedSayings } from '#shared/sayings';

/** A document that an agent reads besides its company information. */
export interface AgentDocument {
  id: string;
  /** Together with `id`, identifies one state of its text. */
  revision: string;
  title: string;
  /** Its pages, or its one text. */
  parts: readonly DocumentPart[];
}

interface DocumentPart {
  /** Null for a whole document. */
  title: string | null;
  /** Markdown, HTML or plain text. */
  text: string;
}

/** A passage of a document, as an agent reads it. */
export interface DocumentPassage {
  /** The headings above it, without the document's title. */
  heading: string;
  text: string;
}

/** The agent as the dialogue knows it: persona and all quotable knowledge. */
export interface AgentProfile {
  /** Together with `revision`, identifies one state of the agent's knowledge, so that it is indexed once. */
  id: string;
  revision: string;
  /** Its stored version; absent if versions are not stored. */
  version?: number;
  name: string;
  companyName: string;
  personality: string;
  companyInfo: string;
  /** Further instructions and facts in the business's words; never shown to a customer. */
  prompts: readonly string[];
  /** The business's decided sayings; undecided ones are read from the prompts. Absent: none is decided. */
  sayings?: DecidedSayings;
  /** BCP 47: the customers' language, in which it answers. */
  language: string;
  /** Data masked in customers' words; absent: DEFAULT_MASKS. */
  masks?: readonly Mask[];
  /** Its owner; absent: everybody's, or not saved yet. */
  ownerId?: string;
  /** Its current documents, loaded when they are indexed; absent: none. `revision` covers them, too. */
  documents?: () => Promise<readonly AgentDocument[]>;
  /** Unsaved: nothing of it outlives the process. */
  isDraft?: boolean;
  /** For a draft: the saved agent that it will become. Parts common to both are not read again. */
  basedOn?: Pick<AgentProfile, 'id' | 'revision'>;
}

export interface DialogueMessage {
  role: 'user' | 'assistant';
  content: string;
  /** On a reply: the name of the colleague who gave it; absent: the agent. */
  colleague?: string;
  /** In a room: said by, or to, another person than the customer of this turn. */
  isOthers?: boolean;
  /**
   * On a reply: the dialogue's state after it, as in the `reply` event; on a reply to another person its
   * `stateForOthers`. Plain JSON that only the dialogue reads.
   */
  state?: unknown;
}

/** An action of the agent in the business's own systems. */
export interface AgentAction {
  id: string;
  name: string;
  /** When to use it. */
  when: string;
  inputs: readonly ActionInput[];
  /** The customer must confirm it first. */
  confirm: boolean;
}

export interface ActionCall {
  actionId: string;
  /** By the inputs' names. */
  inputs: Readonly<Record<string, string>>;
}

/**
 * The result of an action. `done`: `said` is the business's sentence, `answer` the system's answer, which is only data.
 * `refused`: the system answered that it does not know or accept the inputs. `failed`: it did not answer. `unknown`: it
 * broke off, and may have been done.
 */
export type ActionResult =
  | { outcome: 'done'; said: string; answer: unknown; isRepeated: boolean }
  | { outcome: 'refused' | 'failed' | 'unknown' };

/** Runs an action, or returns the result of the same earlier run. Rejects only with the signal's reason. */
export type RunAction = (call: ActionCall, signal: AbortSignal) => Promise<ActionResult>;

/** The agent's actions in this turn. */
interface TurnActions {
  readonly list: readonly AgentAction[];
  /**
   * Resolves once the customer's turn is taken. Until then no action runs: a speculative reply to a turn that may never
   * be taken waits here.
   */
  readonly taken: Promise<RunAction>;
}

/** The use of a language model in a turn. */
export interface ModelUse {
  model: string;
  /** Tokens as counted by its server, or estimated if it does not count them. */
  input: number;
  output: number;
}

/** The allowance of language models. */
export interface ModelAllowance {
  /** Whether models may be asked; otherwise the embedded reader answers. */
  isLeft(): boolean;
  /** Called with each model's use after a reply has ended, with or without success. */
  onUse(use: ModelUse): void;
}

export interface CustomerTurn {
  agent: AgentProfile;
  /** The account of the turn: simultaneous accounts take turns. Default: the agent's. */
  account?: string;
  /** Absent: no actions. */
  actions?: TurnActions;
  /** Absent: models are asked, and their use is not counted. */
  models?: ModelAllowance | undefined;
  /** Earlier messages, oldest first, including the welcome. */
  history: readonly DialogueMessage[];
  text: string;
  /** The customer's channel; absent: unknown. */
  channel?: 'text' | 'voice' | 'room' | undefined;
  /** The speaker's name, if several people speak. */
  speaker?: string | undefined;
}

/** A reply comes as sentences, in order, the last one marked; then once as a whole. */
export type ReplyEvent = ({ type: 'sentence' } & Sentence) | ({ type: 'reply' } & WholeReply);

export interface Sentence {
  /** Counts from 0 within one reply. */
  index: number;
  text: string;
  isLast: boolean;
  /** On the last: the answer that the reply asks for. Null or absent: derived from its words. */
  expects?: ExpectedAnswer | null;
}

/** The complete reply of a turn. */
export interface WholeReply {
  text: string;
  citations: Citation[];
  outcome: Outcome;
  /** Stored with the reply and passed back in the next turn's history: plain JSON that only the dialogue reads. */
  state?: unknown;
  /**
   * The state for other people in the room, in place of `state`: without this customer's pending question and records.
   * Absent: no state for them.
   */
  stateForOthers?: unknown;
  /** The customer's contact details so far; absent without any. */
  contact?: Contact;
  /** The topic of the reply, in the words of a title; absent without one. */
  topic?: string;
  /**
   * What the reply expects next, if not a customer's turn: `wait` for a customer who asked for a moment, or `end`,
   * after a goodbye from both.
   */
  leavesTo?: 'wait' | 'end' | undefined;
}

/** A past question of a customer. */
export interface PastQuestion {
  text: string;
  /** The messages it depends on, oldest first; empty if it stands alone. */
  history: readonly DialogueMessage[];
}

/** The answers of two states of an agent to the same question. */
export interface AnswerPair {
  before: Pick<WholeReply, 'text' | 'outcome'>;
  after: Pick<WholeReply, 'text' | 'outcome'>;
}

/** The one brain: typed messages, spoken messages and live rooms all call `respond`. */
export interface Dialogue {
  /** The page's name for the brain in use. */
  readonly brain: { name: string; kind: 'grounded' | 'model' };
  /** The first words of a call. */
  greet(agent: AgentProfile): string;
  /** Filler words while a customer waits; null if answers are too fast for them. */
  oneMoment(agent: AgentProfile): string | null;
  /** Asks a silent customer whether they are still there. */
  stillThere(agent: AgentProfile): string;
  /**
   * Answers a customer's turn.
   * @throws EngineError if it cannot answer, the signal's reason if aborted.
   */
  respond(turn: CustomerTurn, signal: AbortSignal): AsyncIterable<ReplyEvent>;
  /**
   * Title of a conversation from the customer's request: 3–6 words in title case, or null while it is unknown.
   * @param topics of its replies, oldest first
   */
  title(
    agent: Pick<AgentProfile, 'language'>,
    userMessages: readonly string[],
    topics?: readonly string[],
  ): string | null;
  /**
   * Answers questions with an agent before and after a change, with the embedded reader only and behind all turns.
   * @yields for each question, in order, both answers; null if they are the same
   * @throws EngineError if the reader is away, the signal's reason if aborted
   */
  compare(
    before: AgentProfile,
    after: AgentProfile,
    questions: readonly PastQuestion[],
    signal: AbortSignal,
  ): AsyncIterable<AnswerPair | null>;
  /** Indexes an agent's knowledge ahead of its first turn. */
  prepare(agent: AgentProfile, signal?: AbortSignal): Promise<void>;
  /**
   * Hints for writing an agent's knowledge, the fastest first. Without the encoder there are fewer.
   * @throws EngineError, or the signal's reason
   */
  review(agent: AgentProfile, signal: AbortSignal): AsyncIterable<WritingHint>;
  /** A document's passages for an agent of this language. @param account its owner */
  passagesOf(account: string, document: AgentDocument, language: string): Promise<DocumentPassage[]>;
  /** The number of those passages. */
  countPassages(account: string, document: AgentDocument, language: string): Promise<number>;
  /** Drops the index of one revision that no call needs any more. Ignores unknown ones. */
  forget(agent: Pick<AgentProfile, 'id' | 'revision'>): void;
  /** Drops all data of a deleted agent, also on disk. Never rejects. */
  forgetAgent(agentId: string): Promise<void>;
  close(): Promise<void>;
}
