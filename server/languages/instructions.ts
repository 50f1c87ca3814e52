/** Instructions of a business to its agent that can be followed to the letter. */
export interface Instructions {
  /** First words of a call; null: the agent's own. */
  greeting: string | null;
  goodbye: string | null;
  /** Text said verbatim when the question is about `when`. */
  says: readonly { when: string; text: string }[];
  /** Topics that a colleague takes over. */
  handsOver: readonly string[];
  /** Phrases that the agent never says. */
  neverSays: readonly string[];
}
