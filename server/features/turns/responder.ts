import type { AgentProfile, CustomerTurn, Dialogue, Sentence, WholeReply } from '#server/dialogue/contract';
import type { ConversationFace, ReplyAuthor } from '#server/features/conversations/service';

/** A complete reply. A person gives only its words. */
export type GivenReply = Pick<WholeReply, 'text'> & Partial<WholeReply>;

/** A reply comes as sentences, in order, the last one marked; then once as a whole. */
export type ResponderEvent<R extends GivenReply = GivenReply> =
  | ({ type: 'sentence' } & Sentence)
  | ({ type: 'reply' } & R);

/**
 * Answers customers' turns: an agent's dialogue, or a colleague who has taken a conversation over. Turn, voice, storage
 * and channels know only this port.
 */
export interface Responder {
  /** The author of its replies. */
  readonly author: ReplyAuthor;
  /**
   * Whether it starts on a turn as soon as it is asked: then it is asked ahead, shown as typing, and cancelled when it
   * takes too long. Otherwise it is a person, who answers when they have time.
   */
  readonly answersAtOnce: boolean;
  /** Filler words while a customer waits for the answer; null: none. */
  oneMoment(agent: AgentProfile): string | null;
  /**
   * Answers a turn with one reply. Without any event the turn stays unanswered; a responder with `answersAtOnce` always
   * has an event.
   * @throws EngineError if it cannot answer, the signal's reason if aborted
   */
  respond(turn: CustomerTurn, signal: AbortSignal): AsyncIterable<ResponderEvent>;
}

/** Chooses the responder of a conversation: called for each turn, right before it is answered. */
export type ResponderOf = (conversation: ConversationFace) => Promise<Responder>;

/** The dialogue of the conversation's agent. */
export const agentResponder = (dialogue: Pick<Dialogue, 'respond' | 'oneMoment'>): Responder => ({
  author: { kind: 'agent' },
  answersAtOnce: true,
  oneMoment: (agent) => dialogue.oneMoment(agent),
  respond: (turn, signal) => dialogue.respond(turn, signal),
});
