import type { Sound } from '#server/audio/sound';
import type { AgentProfile } from '#server/dialogue/contract';
import type { ContactScope } from '#server/lib/scope';
import type { Asked } from '#server/telemetry/timeline';
import type { Channel } from '#shared/conversations';

export interface StartRequest {
  scope: ContactScope;
  /** Where it takes place; by default the page, or the simulator for the demo agent. */
  channel?: Channel | undefined;
  /** One of the workspace's agents; without one the demo agent answers. */
  agentId?: string | undefined;
  /** An open conversation of theirs to go on with. */
  conversationId?: string | undefined;
  /** `false`: the welcome comes without audio. */
  voice?: boolean | undefined;
}

export interface TakeTurnRequest {
  scope: ContactScope;
  conversationId: string;
  text: string;
  clientMessageId?: string | undefined;
  /** The agent the client believes to be talking to: another one than the conversation's is refused. */
  agentId?: string | undefined;
  /** Who answers, where that is not the conversation's own agent: in a room it may be somebody else's. Never a client's word. */
  agent?: AgentProfile | undefined;
  /** `false`: the reply comes as text alone. */
  voice?: boolean | undefined;
  /** It was spoken, not typed: the asker is told, too, what was stored. */
  isSpoken?: boolean | undefined;
  /** It goes on with what was said before, whose reply was called off unheard: both are answered together. */
  goesOn?: boolean | undefined;
  /** How it came to be asked, where it was spoken. */
  asked?: Asked | undefined;
  /** In a room: the call that everybody's record is of. What is done for one of them is not done again for another. */
  sharedCallId?: string | undefined;
  /** The name of whoever speaks, where several people do. */
  speaker?: string | undefined;
}

/** What a customer may be about to have said: a turn that may never be taken. */
export type CandidateTurn = Pick<
  TakeTurnRequest,
  'scope' | 'conversationId' | 'text' | 'agent' | 'voice' | 'goesOn' | 'isSpoken'
>;

/** What a customer said to somebody else than the agent. */
export type NotedTurn = Pick<
  TakeTurnRequest,
  'scope' | 'conversationId' | 'text' | 'clientMessageId' | 'agent'
>;

/** What is stored of something a customer said. */
export interface StoredTurn {
  messageId: string;
  /** Its words without what must not be kept. */
  text: string;
  /** Something was left out: its sound must not be kept either. */
  isMasked: boolean;
}

/** What an agent opens a call with. */
export interface Welcome {
  text: string;
  /** `null` while there is no voice, or when it is too slow. */
  speech: Sound | null;
}

/** One reply of an agent's, by the id it has from its first word on. */
export interface ReplyRef {
  scope: ContactScope;
  conversationId: string;
  responseId: string;
}

export interface TakeTurnOptions {
  /** Called once the message is safely stored, before anything else is told. */
  onStored?: ((stored: StoredTurn) => void) | undefined;
  /** Stops the turn. Not for a client that went away: its reply is finished and kept. */
  signal?: AbortSignal | undefined;
}

export interface TakenTurn extends StoredTurn {
  /** The reply that is being made; null when an earlier one was sent again. */
  responseId: string | null;
  /** Resolves when the reply, or the failure, has been told. Never rejects. */
  settled: Promise<void>;
}
