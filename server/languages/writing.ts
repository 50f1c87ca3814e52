/** What is known of how businesses write for their customers, and of what these ask. */
export interface Writing {
  /** Words by which a sentence promises a time, a price or a limit without saying which: "quickly", "a small fee"; null for none. */
  vagueIn(sentence: string): string | null;
  /** Whether what a sentence says holds only under a condition. */
  isConditional(sentence: string): boolean;
  /** What customers usually ask a business that writes such a text, each in several wordings, the plainest first. */
  usualQuestions(text: string): (readonly string[])[];
}
