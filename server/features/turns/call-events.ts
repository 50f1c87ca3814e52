import type { Sound } from '#server/audio/sound';
import type { WholeReply } from '#server/dialogue/contract';
import type { MessageRecord, ReplyAuthor, SaidMessage } from '#server/features/conversations/service';
import type { ContactScope } from '#server/lib/scope';
import type { Contact, Outcome, Sentiment } from '#shared/conversations';
import type { ErrorCode } from '#shared/errors';
import type { SpokenSentence } from './speak-in-order.ts';

/** A sentence of a reply, on its way to a client. */
export interface ToldSentence extends SpokenSentence {
  conversationId: string;
  responseId: string;
  /** Default: the agent. */
  author?: ReplyAuthor | undefined;
}

/** The agent as customers see it. */
export interface AgentFace {
  name: string;
  companyName: string;
}

/** A call that has begun, or continues. */
export interface StartedCall {
  conversationId: string;
  agent: AgentFace;
  /** The first words of a new call. */
  welcome?: { id: string; text: string; at: Date; speech: Sound | null };
  /** The messages of a continued call, oldest first. */
  messages?: SaidMessage[];
  /** Links to their audio, by message id. */
  audioUrls?: ReadonlyMap<string, string> | undefined;
  /** A reply is being made for another client of this conversation. */
  isAnswering?: boolean;
}

export interface FinishedReply {
  conversationId: string;
  responseId: string;
  /** As stored; of an interrupted reply only the part played. */
  message: MessageRecord;
  agent: AgentFace;
  /** The customer's question, and their contact details so far; absent when an earlier reply is sent again. */
  question?: string;
  contact?: Contact | undefined;
  /** The dialogue's state for other people in the room; absent when an earlier reply is sent again. */
  stateForOthers?: unknown;
  /** What the reply expects next, if it is not a customer's turn, and all of it is played. */
  leavesTo?: WholeReply['leavesTo'];
  /** Its sentences; empty when an earlier reply is sent again. */
  sentences: readonly SpokenSentence[];
  /** It came as text because others were waiting for the voice. */
  isVoiceBusy?: boolean;
  /** Link to the audio of an earlier reply that is sent again. */
  audioUrl?: string | undefined;
}

export interface FailedTurn {
  conversationId: string;
  clientMessageId: string | null;
  /** Safe to show. */
  message: string;
  code: ErrorCode;
  retryable: boolean;
}

/** One client that asked for a turn: a browser tab on the channel, or a participant of a room. */
export interface TurnListener {
  /** Identifies the client: joining a turn twice, it hears it once. */
  readonly id: string;
  /** False once it has gone: it joins nothing any more. */
  readonly isPresent: boolean;
  /** It gets each sentence as it is made, and waits for them. */
  readonly followsSentences: boolean;
  typing(conversationId: string, isTyping: boolean): void;
  /** The next sentence waits for the promise, if sending takes a while. */
  sentence(sentence: ToldSentence): void | Promise<void>;
  reply(reply: FinishedReply): void | Promise<void>;
  failed(turn: FailedTurn): void;
}

/**
 * An event for all other clients with the conversation open, such as other tabs of the same user. `except` names the
 * listeners that were already told in more detail.
 */
export type ConversationEvent = { conversationId: string; except: readonly string[] } & (
  | {
      type: 'message';
      scope: ContactScope;
      id: string;
      content: string;
      at: Date;
      clientMessageId: string | null;
    }
  | { type: 'typing'; isTyping: boolean }
  | { type: 'reply'; reply: FinishedReply }
  | { type: 'titled'; title: string }
  | { type: 'labelled'; sentiment: Sentiment }
  | { type: 'concluded'; outcome: Outcome | null; contact: Contact | null }
);
