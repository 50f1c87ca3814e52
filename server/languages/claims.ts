/** A number that a text states: "30" of "thirty days", with what it counts. */
export interface Figure {
  /** In digits, without separators. */
  value: string;
  /** One word for a unit however it is written ("day", "dollar", "percent"); null where the text names none. */
  unit: string | null;
}

/** What a sentence states that can be looked up somewhere else. */
export interface Claims {
  figuresIn(text: string): Figure[];
  /** What a text says beside its figures. */
  withoutFigures(text: string): string;
  /** Whether a day of the week or a month may be meant by what a text says of days. */
  isDay(name: string): boolean;
  /** Whether a text says on which days something is. */
  tellsOfDays(text: string): boolean;
  /** Names, weekdays and months, addresses of mail and pages, in lower case. */
  namesIn(text: string): string[];
  /** Stems of words that grant something or bind the business: "free", "guarantee", "always". */
  grantsIn(text: string): string[];
  /** Whether it says what somebody may, can or has to do. */
  permits(sentence: string): boolean;
  /** Whether the agent says that it does, has done or can do something that only the business's systems could. */
  actsItself(sentence: string): boolean;
  /** Stems of what the business is said to do: "refund" of "we will refund you". */
  undertakingsIn(sentence: string): string[];
  /** A statement can be wrong; a question, thanks, or that something is not known cannot. */
  isStatement(sentence: string): boolean;
  /** It says that something is not so, or not known, and may repeat what the customer said of it. */
  isDenial(sentence: string): boolean;
  /** It begins by saying yes to what was asked. */
  affirms(sentence: string): boolean;
}
