/** A user's limits for calls, and time limits. */
export interface CallLimits {
  /** The longest turn, from its start to its stored reply. */
  turnTimeoutMs: number;
  /** Time for the voice of one sentence before it comes as text only. */
  sentenceTimeoutMs: number;
  /** How long words on a screen wait for a voice that is busy with others; the way to the page comes on top. */
  readWaitMs: number;
  /** How long a welcome waits for its voice; a cached one needs no wait. */
  welcomeWaitMs: number;
  /** Turns of one user answered at once. */
  maxRunningPerUser: number;
  /** The most waiting messages in one conversation, and in all conversations of one user. */
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
