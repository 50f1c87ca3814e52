import type { SpokenSentence } from '#server/features/turns/speak-in-order';
import type { ExpectedAnswer } from '#server/languages/turn-taking';
import type { Asked } from '#server/telemetry/timeline';

/** A sentence of a reply, or of what the agent says unasked. */
export type ReplySentence = Pick<SpokenSentence, 'text' | 'speech' | 'isLast' | 'expects'> & {
  responseId: string;
};

/**
 * Where the agent's voice comes out: a page's audio, a room's track, a telephone line. It tells the floor when a reply
 * begins to be heard and when it has ended.
 */
export interface Loudspeaker {
  /** The next sentence of a reply: it is said behind those that came before. */
  say(sentence: ReplySentence): void;
  /** No more sentences of a reply come. */
  finish(responseId: string): void;
  /** Pauses where it is, or does not begin. */
  hold(): void;
  /** Goes on where it was held. Nothing happens where it was not. */
  release(): void;
  /**
   * Falls silent and forgets the reply that is heard, or is about to be.
   * @param responseId null: a reply that is not known by its id yet, or none
   * @returns playout position: milliseconds of it that were played, once that is known. Never rejects.
   */
  stop(responseId: string | null): Promise<number>;
}

/** Something a person said to the agent. */
export interface Said {
  /** Who said it. */
  by: string;
  text: string;
  /** It goes on with what they said before, whose reply was called off unheard: both are answered together. */
  goesOn: boolean;
  /** How it came to be said; absent where only its words are known. */
  asked?: Asked | undefined;
}

/** What was said is stored and will be answered. */
export interface Taken {
  /** The reply to come; null when an earlier one was sent again. */
  responseId: string | null;
  /** Resolves when nothing more of it comes. Never rejects. */
  settled: Promise<void>;
}

/** A page, a room or a telephone line, as its floor needs it. */
export interface FloorSurroundings<S extends Said> {
  loudspeaker: Loudspeaker;
  /** Where everybody hears the same answer, one is made and heard after another. */
  oneAtATime: boolean;
  /** Stores what was said and has it answered. Rejects when it cannot be stored. */
  take(said: S): Promise<Taken>;
  /** Only where there is one at a time: stores what was said. @returns what is taken when its turn has come */
  note?(said: S): Promise<S>;
  /** Thinks ahead of what somebody has perhaps said. */
  think(candidate: Said): void;
  stopThinking(candidate: Said): void;
  /**
   * Has no more of a reply made, and what is stored of it cut to what was played.
   * @param said null: what the agent said unasked
   */
  stop(responseId: string, said: S | null, playedMs: Promise<number>): Promise<void>;
  /**
   * What the agent says aloud from now on; null: nothing, or no reply comes to what was said.
   * @param expects what it asks for; null: its words tell
   */
  agentSays(words: string | null, expects?: ExpectedAnswer | null): void;
  /** Whether the agent thinks, speaks or listens may have changed. */
  changed(): void;
  onFailure(error: unknown): void;
}
