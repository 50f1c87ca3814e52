/** How an utterance's words end, as evidence of whether it is over. */
export type Ending =
  | 'question'
  | 'complete-answer'
  | 'request'
  | 'finished'
  | 'opening'
  | 'open-ended'
  | 'list'
  | 'spelling'
  | 'hesitating'
  | 'unfinished';

/** The kind of answer that the agent's last words ask for. `short`: a name, or one of several things. */
export type ExpectedAnswer = 'yes-or-no' | 'code' | 'email' | 'phone' | 'short' | 'anything';

/** A language's rules for turn-taking. `words` always come from `wordsOf`. */
export interface TurnTakingLanguage {
  /** Lower-case words of a text, without marks except those inside words. */
  wordsOf(text: string): string[];
  /** Letters for comparing recognised words with spoken ones; digits as words. */
  lettersOf(words: readonly string[]): string;
  /** @param text the utterance recognised so far; a closing full stop proves nothing */
  readEnding(text: string, expected: ExpectedAnswer): Ending;
  /** The kind of answer that a text asks for, by its words: where the caller does not know better. */
  expectedAnswer(agentSaid: string): ExpectedAnswer;
  /** Whether these words alone show that a sentence is incomplete. */
  isUnfinished(text: string): boolean;
  /** Whether words after the customer's own utterance, before any reply is played, belong to it. */
  addsToTheTurn(text: string): boolean;
  /** Words that stop an agent at once, however short: "no", "stop", "wait". */
  stopsAtOnce(words: readonly string[]): boolean;
  /** "Yes" and its like. */
  agrees(words: readonly string[]): boolean;
  withoutBackChannels(words: readonly string[]): readonly string[];
  /** Whether the words are the beginning of a back-channel. */
  mayBecomeBackChannel(words: readonly string[]): boolean;
  /** Whether the words, possibly misrecognised, sound like back-channels. */
  soundsLikeBackChannels(words: readonly string[]): boolean;
  /** Whether the words sound only like a hum. */
  soundsLikeHum(words: readonly string[]): boolean;
  /** Whether the words are only hesitation, like "um" and "well". */
  onlyHesitates(words: readonly string[]): boolean;
  /** Whether this word asks or calls: "what", "hello". */
  callsOrAsks(word: string): boolean;
  /** Words that are meant, however short the utterance: "Monday", "operator". */
  isMeant(word: string): boolean;
}
