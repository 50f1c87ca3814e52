import type { AgentProfile, CustomerTurn, Dialogue, Sentence, WholeReply } from '#server/dialogue/contract';
import type { ConversationFace, ReplyAuthor } from '#server/features/conversations/service';

/** What a reply came to. A person gives its words alone. */
export type GivenReply = Pick<WholeReply, 'text'> & Partial<WholeReply>;

/** A reply comes as sentences, in order, the last one marked; then once as a whole. */
export type ResponderEvent<R extends GivenReply = GivenReply> =
  | ({ type: 'sentence' } & Sentence)
  | ({ type: 'reply' } & R);

/**
 * Answers customers' turns: the dialogue of an agent, or a colleague who has taken a conversation over. The turn, its voice,
 * what is stored of it and the channels know this port alone.
 */
export interface Responder {
  /** Who says its replies. */
  readonly author: ReplyAuthor;
  /**
   * It works on a turn from the moment it is asked: it is asked ahead, shown as typing meanwhile, and given up when it takes too
   * long. Otherwise it is a person, who answers when they have time.
   */
  readonly answersAtOnce: boolean;
  /** A few words for somebody who waits for its answer; null: none. */
  oneMoment(agent: AgentProfile): string | null;
  /**
   * Answers a turn with one reply. Without any event, the turn stays unanswered; one that `answersAtOnce` always has an event.
   * @throws EngineError when it cannot answer, the signal's reason when it was aborted
   */
  respond(turn: CustomerTurn, signal: AbortSignal): AsyncIterable<ResponderEvent>;
}

/** Says who answers in a conversation from now on: asked for each turn, right before it is answered. */
export type ResponderOf = (conversation: ConversationFace) => Promise<Responder>;

/** The dialogue of the conversation's agent. */
export const agentResponder = (dialogue: Pick<Dialogue, 'respond' | 'oneMoment'>): Responder => ({
  author: { kind: 'agent' },
  answersAtOnce: true,
  oneMoment: (agent) => dialogue.oneMoment(agent),
  respond: (turn, signal) => dialogue.respond(turn, signal),
});
