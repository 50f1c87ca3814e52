/** A number that a text states: "30" of "thirty days", with what it counts. */
export interface Figure {
  /** Digits without separators. */
  value: string;
  /** One word per unit, however it is written ("day", "dollar", "percent"); null if the text names none. */
  unit: string | null;
}

/** Finds the checkable statements in a sentence. */
export interface Claims {
  figuresIn(text: string): Figure[];
  /** The text without its figures. */
  withoutFigures(text: string): string;
  /** Whether a statement about days may refer to this weekday or month. */
  isDay(name: string): boolean;
  /** Whether a text says on which days something happens. */
  tellsOfDays(text: string): boolean;
  /** Names, weekdays and months, addresses of mail and pages, in lower case. */
  namesIn(text: string): string[];
  /** Stems of words that grant something or bind the business: "free", "guarantee", "always". */
  grantsIn(text: string): string[];
  /** Whether it says what a person may, can or has to do. */
  permits(sentence: string): boolean;
  /**
   * Whether the agent claims to do, have done or be able to do something that only the business's systems
   * could.
   */
  actsItself(sentence: string): boolean;
  /** Stems of deeds ascribed to the business: "refund" in "we will refund you". */
  undertakingsIn(sentence: string): string[];
  /** Whether it can be wrong: a statement can, but not a question, thanks, or that something is unknown. */
  isStatement(sentence: string): boolean;
  /** It says that something is not so or not known, and may repeat the customer's words. */
  isDenial(sentence: string): boolean;
  /** It begins with a yes to the question. */
  affirms(sentence: string): boolean;
}
