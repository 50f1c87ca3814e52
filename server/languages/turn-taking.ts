/** What the words of an utterance say about whether it is over. */
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

/** What kind of answer the agent's last words ask for. `short`: a name, or one of some things. */
export type ExpectedAnswer = 'yes-or-no' | 'code' | 'email' | 'phone' | 'short' | 'anything';

/** What taking turns must know of a language. `words` are always those of `wordsOf`. */
export interface TurnTakingLanguage {
  /** The words of a text in lower case, without marks except those inside words. */
  wordsOf(text: string): string[];
  /** The letters by which what was recognised is compared with what was said; digits as words. */
  lettersOf(words: readonly string[]): string;
  /**
   * @param text what was recognised of the utterance so far; its closing full stop proves nothing
   */
  readEnding(text: string, expected: ExpectedAnswer): Ending;
  /** What a text asks for, read from its words: where whoever said it does not know it better. */
  expectedAnswer(agentSaid: string): ExpectedAnswer;
  /** Whether these words alone show that a sentence is not over. */
  isUnfinished(text: string): boolean;
  /** Whether words said after one's own sentence, before any reply is heard, belong to it. */
  addsToTheTurn(text: string): boolean;
  /** Words that stop an agent at once, however short: "no", "stop", "wait". */
  stopsAtOnce(words: readonly string[]): boolean;
  /** "Yes" and its like. */
  agrees(words: readonly string[]): boolean;
  /** What is left of the words without the signs of attention they begin with. */
  withoutBackChannels(words: readonly string[]): readonly string[];
  /** Whether the words are the beginning of a sign of attention. */
  mayBecomeBackChannel(words: readonly string[]): boolean;
  /** Whether the words, misheard perhaps, sound like signs of attention. */
  soundsLikeBackChannels(words: readonly string[]): boolean;
  /** Whether the words have no sound but those of a hum. */
  soundsLikeHum(words: readonly string[]): boolean;
  /** Whether the words are no more than "um" and "well". */
  onlyHesitates(words: readonly string[]): boolean;
  /** Whether somebody asks or calls with this word: "what", "hello". */
  callsOrAsks(word: string): boolean;
  /** Words that are meant however short what was said: "Monday", "operator". */
  isMeant(word: string): boolean;
}
