import type { ExpectedAnswer } from '#server/languages/turn-taking';
import type { Mask } from '#shared/agents';
import type { Citation, Contact, Outcome } from '#shared/conversations';

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
  name: string;
  companyName: string;
  personality: string;
  companyInfo: string;
  /** Further instructions and facts, as the business wrote them; never shown to a customer. */
  prompts: readonly string[];
  /** BCP 47: what its customers speak, and what it answers in. */
  language: string;
  /** What is left out of what customers say; absent: DEFAULT_MASKS. */
  masks?: readonly Mask[];
  /** Its documents as they are now, asked for when they are indexed; absent: it has none. `revision` names their state, too. */
  documents?: () => Promise<readonly AgentDocument[]>;
  /** Still being written: nothing of it outlives the process. */
  isDraft?: boolean;
}

export interface DialogueMessage {
  role: 'user' | 'assistant';
  content: string;
  /** On a reply: the dialogue's state after it, as the `reply` event gave it; plain JSON that only the dialogue reads. */
  state?: unknown;
}

export interface CustomerTurn {
  agent: AgentProfile;
  /** What was said before this turn, oldest first, welcome included. */
  history: readonly DialogueMessage[];
  text: string;
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

/** What a language model's part in a reply took. */
export interface ModelUse {
  model: string;
  /** Tokens; null where its server does not say. */
  input: number | null;
  output: number | null;
}

/** What a turn came to. */
export interface WholeReply {
  text: string;
  citations: Citation[];
  outcome: Outcome;
  /** To be kept with the reply and given back in the next turn's history: plain JSON that only the dialogue reads. */
  state?: unknown;
  /** What the customer has left in this conversation so far; absent while they left nothing. */
  contact?: Contact;
  /** Absent where no model had a part in it. */
  use?: ModelUse;
  /** What the reply is about, in the words of a title; absent where it is about nothing. */
  topic?: string;
}

/** The one brain: a typed message, a spoken message and a live room all call `respond`. */
export interface Dialogue {
  /** What the page calls the brain that answers. */
  readonly brain: { name: string; kind: 'grounded' | 'model' };
  /** The first words of a call. */
  greet(agent: AgentProfile): string;
  /** A few words for somebody who waits for an answer; null where answers are too quick for them. */
  oneMoment(agent: AgentProfile): string | null;
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
  /** Indexes an agent's knowledge ahead of its first turn. */
  prepare(agent: AgentProfile, signal?: AbortSignal): Promise<void>;
  /** How an agent who speaks the language reads a document. */
  passagesOf(document: AgentDocument, language: string): Promise<DocumentPassage[]>;
  /** Drops what is indexed of one revision, for one that nobody will call again. Unknown ones are no mistake. */
  forget(agent: Pick<AgentProfile, 'id' | 'revision'>): void;
  /** Drops all that is kept of an agent that was deleted, on the disk too. Never rejects. */
  forgetAgent(agentId: string): Promise<void>;
  close(): Promise<void>;
}
