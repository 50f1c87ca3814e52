import type { ExpectedAnswer } from '#server/languages/turn-taking';
import type { ActionInput } from '#shared/actions';
import type { Mask, WritingHint } from '#shared/agents';
import type { Citation, Contact, Outcome } from '#shared/conversations';
import type { DecidedSayings } from '#shared/sayings';

/** A document that an agent reads besides its company information. */
export interface AgentDocument {
  id: string;
  /** With `id` names one state of its text. */
  revision: string;
  title: string;
  /** Pages of it, or the one text it is. */
  parts: readonly DocumentPart[];
}

interface DocumentPart {
  /** Null where it is the whole document. */
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

/** The agent as the dialogue knows it: persona and everything it may quote. */
export interface AgentProfile {
  /** With `revision` names one state of the agent's knowledge, so that it is indexed once. */
  id: string;
  revision: string;
  /** Which of its kept versions it is; absent: nobody keeps any. */
  version?: number;
  name: string;
  companyName: string;
  personality: string;
  companyInfo: string;
  /** Further instructions and facts, as the business wrote them; never shown to a customer. */
  prompts: readonly string[];
  /** What its business decided that it says; what is not decided is read in the prompts. Absent: nothing is. */
  sayings?: DecidedSayings;
  /** BCP 47: what its customers speak, and what it answers in. */
  language: string;
  /** What is left out of what customers say; absent: DEFAULT_MASKS. */
  masks?: readonly Mask[];
  /** Whose it is; absent: everybody's, or nobody's yet. */
  ownerId?: string;
  /** Its documents as they are now, asked for when they are indexed; absent: it has none. `revision` names their state, too. */
  documents?: () => Promise<readonly AgentDocument[]>;
  /** Still being written: nothing of it outlives the process. */
  isDraft?: boolean;
  /** Of a draft: the saved agent that it is to become. What both say alike is not read again. */
  basedOn?: Pick<AgentProfile, 'id' | 'revision'>;
}

export interface DialogueMessage {
  role: 'user' | 'assistant';
  content: string;
  /** On a reply: the name of the colleague who gave it; absent: the agent did. */
  colleague?: string;
  /** In a room: said by somebody else than the customer of this turn, or to somebody else. */
  isOthers?: boolean;
  /**
   * On a reply: the dialogue's state after it, as the `reply` event gave it; on one to somebody else its `stateForOthers`.
   * Plain JSON that only the dialogue reads.
   */
  state?: unknown;
}

/** Something that the agent can do in the business's own systems. */
export interface AgentAction {
  id: string;
  name: string;
  /** When it is to be used. */
  when: string;
  inputs: readonly ActionInput[];
  /** The customer must have said yes to it. */
  confirm: boolean;
}

export interface ActionCall {
  actionId: string;
  /** By the inputs' names. */
  inputs: Readonly<Record<string, string>>;
}

/**
 * What came of an action. `done`: `said` is what the business lets be said of it, `answer` what its system answered, which
 * is data and nothing else. `refused`: the system answered that it knows or wants none of it. `failed`: it did not answer.
 * `unknown`: it broke off, and may have been done.
 */
export type ActionResult =
  | { outcome: 'done'; said: string; answer: unknown; isRepeated: boolean }
  | { outcome: 'refused' | 'failed' | 'unknown' };

/** Runs an action, or answers what came of it when the same was run before. Rejects with the signal's reason alone. */
export type RunAction = (call: ActionCall, signal: AbortSignal) => Promise<ActionResult>;

/** What the agent can do in this turn. */
interface TurnActions {
  readonly list: readonly AgentAction[];
  /**
   * Resolves once the customer's turn is taken. Until then nothing is run: what is answered ahead of a turn that may never
   * be taken waits here.
   */
  readonly taken: Promise<RunAction>;
}

/** What a language model's part in a turn took. */
export interface ModelUse {
  model: string;
  /** Tokens as its server counts them, or as they are estimated where it does not say. */
  input: number;
  output: number;
}

/** What language models may take. */
export interface ModelAllowance {
  /** Whether they may be asked at all; else the embedded reader answers. */
  isLeft(): boolean;
  /** Told what each model took of a reply once that has ended, however it did. */
  onUse(use: ModelUse): void;
}

export interface CustomerTurn {
  agent: AgentProfile;
  /** Whose turn it is: of accounts that ask at once none waits for all that another one asks. Default: the agent's. */
  account?: string;
  /** Absent: it can do nothing but talk. */
  actions?: TurnActions;
  /** Absent: models are asked, and nobody counts. */
  models?: ModelAllowance | undefined;
  /** What was said before this turn, oldest first, welcome included. */
  history: readonly DialogueMessage[];
  text: string;
  /** How the customer speaks with the agent; absent: nobody knows. */
  channel?: 'text' | 'voice' | 'room' | undefined;
  /** Who speaks, where several people do. */
  speaker?: string | undefined;
}

/** A reply comes as sentences, in order, the last one marked; then once as a whole. */
export type ReplyEvent = ({ type: 'sentence' } & Sentence) | ({ type: 'reply' } & WholeReply);

export interface Sentence {
  /** Counts from 0 within one reply. */
  index: number;
  text: string;
  isLast: boolean;
  /** On the last: what the reply asks the customer for. Null or absent where its words alone tell. */
  expects?: ExpectedAnswer | null;
}

/** What a turn came to. */
export interface WholeReply {
  text: string;
  citations: Citation[];
  outcome: Outcome;
  /** To be kept with the reply and given back in the next turn's history: plain JSON that only the dialogue reads. */
  state?: unknown;
  /**
   * What others who heard the reply in a room get in the place of `state`: nothing that waits for this customer's answer, nor
   * anything of their own records. Absent: they go on from nothing of it.
   */
  stateForOthers?: unknown;
  /** What the customer has left in this conversation so far; absent while they left nothing. */
  contact?: Contact;
  /** What the reply is about, in the words of a title; absent where it is about nothing. */
  topic?: string;
  /**
   * What it leaves the call to, where that is not the customer's turn: `wait` for them, who asked for a moment, or `end`, since
   * both have said goodbye.
   */
  leavesTo?: 'wait' | 'end' | undefined;
}

/** Something that a customer asked once. */
export interface PastQuestion {
  text: string;
  /** What it leans on, oldest first; empty where it stands by itself. */
  history: readonly DialogueMessage[];
}

/** What two states of an agent say to the same question. */
export interface AnswerPair {
  before: Pick<WholeReply, 'text' | 'outcome'>;
  after: Pick<WholeReply, 'text' | 'outcome'>;
}

/** The one brain: a typed message, a spoken message and a live room all call `respond`. */
export interface Dialogue {
  /** What the page calls the brain that answers now. */
  readonly brain: { name: string; kind: 'grounded' | 'model' };
  /** The first words of a call. */
  greet(agent: AgentProfile): string;
  /** A few words for somebody who waits for an answer; null where answers are too quick for them. */
  oneMoment(agent: AgentProfile): string | null;
  /** Asks a customer who has said nothing for a while whether they are still there. */
  stillThere(agent: AgentProfile): string;
  /**
   * Answers a customer's turn.
   * @throws EngineError when it cannot answer, the signal's reason when it was aborted.
   */
  respond(turn: CustomerTurn, signal: AbortSignal): AsyncIterable<ReplyEvent>;
  /**
   * Title of a conversation from what the customer wants: 3–6 words in title case, or null while nothing says it.
   * @param topics what its replies were about, oldest first
   */
  title(
    agent: Pick<AgentProfile, 'language'>,
    userMessages: readonly string[],
    topics?: readonly string[],
  ): string | null;
  /**
   * Answers questions as an agent is and as it would be, with the embedded reader alone and behind everybody's turns.
   * @yields for each question, in order, both answers; null where they are the same
   * @throws EngineError when the reader is away, the signal's reason when it was aborted
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
   * Hints for whoever writes what an agent is to know, the quickest first. Where meaning cannot be read there are fewer.
   * @throws EngineError, or the signal's reason
   */
  review(agent: AgentProfile, signal: AbortSignal): AsyncIterable<WritingHint>;
  /** How an agent who speaks the language reads a document. @param account whose it is */
  passagesOf(account: string, document: AgentDocument, language: string): Promise<DocumentPassage[]>;
  /** How many passages that are. */
  countPassages(account: string, document: AgentDocument, language: string): Promise<number>;
  /** Drops what is indexed of one revision, for one that nobody will call again. Unknown ones are no mistake. */
  forget(agent: Pick<AgentProfile, 'id' | 'revision'>): void;
  /** Drops all that is kept of an agent that was deleted, on the disk too. Never rejects. */
  forgetAgent(agentId: string): Promise<void>;
  close(): Promise<void>;
}
