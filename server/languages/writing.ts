/** Knowledge of how businesses write for customers, and what customers ask. */
export interface Writing {
  /**
   * Words with which a sentence promises a vague time, price or limit: "quickly", "a small fee"; null for
   * none.
   */
  vagueIn(sentence: string): string | null;
  /** Whether a sentence's statement is conditional. */
  isConditional(sentence: string): boolean;
  /** Usual questions of customers about such a text, each in several wordings, the plainest first. */
  usualQuestions(text: string): (readonly string[])[];
}
