/** What a business told its agent to do, as far as it can be done by the letter. */
export interface Instructions {
  /** The first words of a call; null: the agent's own. */
  greeting: string | null;
  /** The last ones. */
  goodbye: string | null;
  /** What is said word for word when it is about something. */
  says: readonly { when: string; text: string }[];
  /** What a colleague takes over. */
  handsOver: readonly string[];
  /** Words that are in no sentence the agent says. */
  neverSays: readonly string[];
}
