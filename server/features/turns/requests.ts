import type { Sound } from '#server/audio/sound';
import type { AgentProfile } from '#server/dialogue/contract';
import type { ContactScope } from '#server/lib/scope';
import type { Asked } from '#server/telemetry/timeline';
import type { Channel } from '#shared/conversations';

export interface StartRequest {
  scope: ContactScope;
  /** By default the page, or the simulator for the demo agent. */
  channel?: Channel | undefined;
  /** One of the workspace's agents; without one the demo agent answers. */
  agentId?: string | undefined;
  /** An open conversation of theirs to continue. */
  conversationId?: string | undefined;
  /** `false`: the welcome comes without audio. */
  voice?: boolean | undefined;
}

export interface TakeTurnRequest {
  scope: ContactScope;
  conversationId: string;
  text: string;
  clientMessageId?: string | undefined;
  /** The agent that the client believes to be talking to: a mismatch with the conversation's is refused. */
  agentId?: string | undefined;
  /** The answering agent, if it is not the conversation's own: a room may have another. Never from a client. */
  agent?: AgentProfile | undefined;
  /** `false`: the reply comes as text only. */
  voice?: boolean | undefined;
  /** It was spoken, not typed: the speaking client gets the stored text, too. */
  isSpoken?: boolean | undefined;
  /** A continuation of an earlier message whose reply was called off unheard: both are answered together. */
  goesOn?: boolean | undefined;
  /** Details of the spoken request. */
  asked?: Asked | undefined;
  /** In a room: the call shared by all participants' records. An action for one of them is not repeated for another. */
  sharedCallId?: string | undefined;
  /** The speaker's name, if several people speak. */
  speaker?: string | undefined;
}

/** A possible utterance of a customer: a turn that may never be taken. */
export type CandidateTurn = Pick<
  TakeTurnRequest,
  'scope' | 'conversationId' | 'text' | 'agent' | 'voice' | 'goesOn' | 'isSpoken'
>;

/** A customer's utterance to another person than the agent. */
export type NotedTurn = Pick<
  TakeTurnRequest,
  'scope' | 'conversationId' | 'text' | 'clientMessageId' | 'agent'
>;

/** The stored form of a customer's message. */
export interface StoredTurn {
  messageId: string;
  /** Its words with masked data. */
  text: string;
  /** A part was masked: its sound must not be stored either. */
  isMasked: boolean;
}

/** The first words of an agent in a call. */
export interface Welcome {
  text: string;
  /** `null` while there is no voice, or if it is too slow. */
  speech: Sound | null;
}

/** One reply of an agent, by the id it has from its first word. */
export interface ReplyRef {
  scope: ContactScope;
  conversationId: string;
  responseId: string;
}

export interface TakeTurnOptions {
  /** Called once the message is safely stored, before any other event. */
  onStored?: ((stored: StoredTurn) => void) | undefined;
  /** Stops the turn. Not for a lost client: its reply is completed and stored. */
  signal?: AbortSignal | undefined;
}

export interface TakenTurn extends StoredTurn {
  /** The reply being made; null if an earlier one was sent again. */
  responseId: string | null;
  /** Resolves when the reply, or its failure, has been sent. Never rejects. */
  settled: Promise<void>;
}
