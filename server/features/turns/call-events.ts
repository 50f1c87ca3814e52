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

/** Who answers, as customers see it. */
export interface AgentFace {
  name: string;
  companyName: string;
}

/** A call that has begun, or goes on. */
export interface StartedCall {
  conversationId: string;
  agent: AgentFace;
  /** What a new call opens with. */
  welcome?: { id: string; text: string; at: Date; speech: Sound | null };
  /** What was said so far in a call that goes on, oldest first. */
  messages?: SaidMessage[];
  /** Links to hear them, by the message's id. */
  audioUrls?: ReadonlyMap<string, string> | undefined;
  /** A reply is being made for another client of this conversation. */
  isAnswering?: boolean;
}

export interface FinishedReply {
  conversationId: string;
  responseId: string;
  /** As it is stored; of an interrupted reply what was heard. */
  message: MessageRecord;
  agent: AgentFace;
  /** What the agent was asked, and what the customer has left by now; absent when an earlier reply is sent again. */
  question?: string;
  contact?: Contact | undefined;
  /** The dialogue's state as others who heard it in a room keep it; absent when an earlier reply is sent again. */
  stateForOthers?: unknown;
  /** What it leaves the call to, where that is not the customer's turn, and all of it is heard. */
  leavesTo?: WholeReply['leavesTo'];
  /** The sentences it came in; none when an earlier reply is sent again. */
  sentences: readonly SpokenSentence[];
  /** It came as text, since others were waiting for the voice. */
  isVoiceBusy?: boolean;
  /** Link to hear an earlier reply that is sent again. */
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

/** One client that asked for a turn: a browser tab on the channel, later a participant of a room. */
export interface TurnListener {
  /** Names the client: the same one joining a turn twice hears it once. */
  readonly id: string;
  /** False once it has gone: it joins nothing any more. */
  readonly isPresent: boolean;
  /** It is told each sentence as it is made, and waits for them. */
  readonly followsSentences: boolean;
  typing(conversationId: string, isTyping: boolean): void;
  /** What comes next is told when this is out, where it takes a while. */
  sentence(sentence: ToldSentence): void | Promise<void>;
  reply(reply: FinishedReply): void | Promise<void>;
  failed(turn: FailedTurn): void;
}

/**
 * What everybody else who has a conversation open may know of it: other tabs of the same user.
 * `except` names the listeners that were told already, in more detail.
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
