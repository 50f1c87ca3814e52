import type { ExpectedAnswer } from '#server/languages/turn-taking';

/** Longest wait in a pause, in milliseconds: then the utterance is taken as it is. */
export const LONGEST_WAIT_MS = 2_200;

/** The agent's last words, and what answer they ask for. */
export interface AgentWords {
  text: string;
  expects: ExpectedAnswer;
}

/** The agent's voice while the customer's sound may be its echo. */
export interface AgentVoice extends AgentWords {
  /** Milliseconds since it began to say this. */
  spokenMs: number;
}

/**
 * Events that teach how long this customer pauses. `went-on`: spoke again before the wait was over;
 * `cut-off`: spoke again after it, when the turn was taken but the reply not yet played; `turn`: a turn was
 * taken.
 */
export type Experience = { what: 'went-on' | 'cut-off'; pauseMs: number; waitMs: number } | { what: 'turn' };

/** A pause of the customer, to decide whether the turn is over. */
export interface CustomerPause {
  /** The utterance recognised so far. Never blank; a closing full stop proves nothing. */
  text: string;
  /**
   * The most recent sound, at most this long: 16 kHz, mono, -1 to 1. Call it at once: old sound is soon
   * dropped.
   */
  newestSound(ms: number): Float32Array;
  /** The customer's language (BCP 47). */
  language: string;
  agentSaid: AgentWords | null;
  /** Set if the utterance began so soon after the agent's voice that it may be its echo; else null. */
  echoOf: AgentVoice | null;
  /** Oldest first. */
  history: readonly Experience[];
}

export interface PauseVerdict {
  /** Probability that the turn is over, 0 to 1. */
  likelihood: number;
  /**
   * Silence after which the turn counts as over, in milliseconds since the speech ended; at most
   * LONGEST_WAIT_MS.
   */
  waitMs: number;
  /** The sound was the end of the agent's own voice. */
  isEcho: boolean;
  /** The deciding rule or model. */
  rule: string;
}

/** Speech over the agent's voice or before its reply is played, to be classified. */
export interface TalkOver {
  /** The speech recognised so far, '' for none. */
  text: string;
  /** The customer's language (BCP 47). */
  language: string;
  newestSound(ms: number): Float32Array;
  /** Its voiced duration, in milliseconds. */
  voicedMs: number;
  /** Whether the speech has ended. */
  ended: boolean;
  /** What the agent is saying or has just said; null while it only prepares to speak. */
  agent: AgentVoice | null;
  /** Whether it began over the agent's voice; otherwise before any of the reply was played. */
  overVoice: boolean;
  /** The speech ended as soon as the agent's voice paused: an echo does that, a person continues. */
  stoppedWithAgent: boolean;
  /** No louder than the agent's own voice in the microphone. */
  asQuietAsEcho: boolean;
  /** Not too loud to be the agent's voice. */
  mayBeEcho: boolean;
}

export interface TalkOverVerdict {
  /**
   * `claim`: the customer takes the floor. `agreement`: a back-channel. `noise` and `echo`: not speech to the
   * agent. `unsure`: more sound is needed.
   */
  kind: 'claim' | 'agreement' | 'noise' | 'echo' | 'unsure';
  /** The deciding rule or model. */
  rule: string;
}

/**
 * Judges turns: whether a pause ends the turn, and what speech over the agent means. Stateless: what the call
 * has taught comes with each question. Callers do not wait for it: a rule of time alone replaces an answer
 * that is late or missing.
 */
export interface TurnJudgementEngine {
  readonly name: string;
  /** @throws EngineError; the signal's reason */
  pause(pause: CustomerPause, signal: AbortSignal): Promise<PauseVerdict>;
  /** @throws EngineError; the signal's reason */
  talkOver(speech: TalkOver, signal: AbortSignal): Promise<TalkOverVerdict>;
  close(): Promise<void>;
}
