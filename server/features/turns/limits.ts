/** How much a user may ask of calls, and how long anything may take. */
export interface CallLimits {
  /** How long one turn may take, from its start to its stored reply. */
  turnTimeoutMs: number;
  /** How long the voice may take for one sentence before the sentence comes as text alone. */
  sentenceTimeoutMs: number;
  /** How long words that are read wait for a voice that speaks to others; the way to the page comes on top. */
  readWaitMs: number;
  /** How long a welcome waits for its voice; a cached one needs no wait. */
  welcomeWaitMs: number;
  /** Turns of one user that are answered at the same time. */
  maxRunningPerUser: number;
  /** Messages that may wait for their turn in one conversation, and in all conversations of one user. */
  maxWaitingPerConversation: number;
  maxWaitingPerUser: number;
}

export const defaultCallLimits: CallLimits = {
  turnTimeoutMs: 60_000,
  sentenceTimeoutMs: 10_000,
  readWaitMs: 1_200,
  welcomeWaitMs: 700,
  maxRunningPerUser: 5,
  maxWaitingPerConversation: 50,
  maxWaitingPerUser: 100,
};
