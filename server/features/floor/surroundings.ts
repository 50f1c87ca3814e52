import type { SpokenSentence } from '#server/features/turns/speak-in-order';
import type { ExpectedAnswer } from '#server/languages/turn-taking';
import type { Asked } from '#server/telemetry/timeline';

/** A sentence of a reply, or of unasked words. */
export type ReplySentence = Pick<SpokenSentence, 'text' | 'speech' | 'isLast' | 'expects'> & {
  responseId: string;
};

/**
 * The output of the agent's voice: a page's audio, a room's track, a telephone line. It tells the floor when a reply
 * begins to play and when it has ended.
 */
export interface Loudspeaker {
  /** Queues the next sentence of a reply. */
  say(sentence: ReplySentence): void;
  /** Marks a reply as complete. */
  finish(responseId: string): void;
  /** Pauses in place, or does not begin. */
  hold(): void;
  /** Continues where it was held. Does nothing if it was not. */
  release(): void;
  /**
   * Stops and drops the reply that is playing, or about to.
   * @param responseId null: none, or one whose id is not known yet
   * @returns playout position: milliseconds that were played, once known. Never rejects.
   */
  stop(responseId: string | null): Promise<number>;
}

/** An utterance to the agent. */
export interface Said {
  /** Its speaker. */
  by: string;
  text: string;
  /** A continuation of an earlier utterance whose reply was called off unheard: both are answered together. */
  goesOn: boolean;
  /** Details of the spoken request; absent if only its words are known. */
  asked?: Asked | undefined;
}

/** The utterance is stored and will be answered. */
export interface Taken {
  /** The coming reply; null if an earlier one was sent again. */
  responseId: string | null;
  /** Resolves when no more of it comes. Never rejects. */
  settled: Promise<void>;
}

/** A page, a room or a telephone line, as its floor needs it. */
export interface FloorSurroundings<S extends Said> {
  loudspeaker: Loudspeaker;
  /** Whether all people hear the same answers, which are then made and played one after another. */
  oneAtATime: boolean;
  /** Stores an utterance and has it answered. Rejects if it cannot be stored. */
  take(said: S): Promise<Taken>;
  /** Only with one at a time: stores an utterance. @returns the utterance to take when its turn comes */
  note?(said: S): Promise<S>;
  /** Prepares a reply to a possible utterance. */
  think(candidate: Said): void;
  stopThinking(candidate: Said): void;
  /**
   * Stops making a reply, and cuts its stored text to the part played.
   * @param said null for words that the agent said unasked
   */
  stop(responseId: string, said: S | null, playedMs: Promise<number>): Promise<void>;
  /**
   * The agent's words from now on; null: none, or no reply comes.
   * @param expects the answer it asks for; null: derived from its words
   */
  agentSays(words: string | null, expects?: ExpectedAnswer | null): void;
  /** The agent may have changed between thinking, speaking and listening. */
  changed(): void;
  onFailure(error: unknown): void;
}
