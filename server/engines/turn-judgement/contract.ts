import type { ExpectedAnswer } from '#server/languages/turn-taking';

/** No pause is waited for longer, in milliseconds: what was said then is taken as it is. */
export const LONGEST_WAIT_MS = 2_200;

/** What the agent said last, and what it asked for by it. */
export interface AgentWords {
  text: string;
  expects: ExpectedAnswer;
}

/** The agent's voice as far as what is heard of its customer may be its echo. */
export interface AgentVoice extends AgentWords {
  /** How long ago it began to say this, in milliseconds. */
  spokenMs: number;
}

/**
 * What the call has taught about this customer's pauses. `went-on`: spoke again before the wait was over; `cut-off`:
 * after it, when the turn was taken and the reply not heard yet; `turn`: one was taken.
 */
export type Experience = { what: 'went-on' | 'cut-off'; pauseMs: number; waitMs: number } | { what: 'turn' };

/** A customer pauses: is the turn over? */
export interface CustomerPause {
  /** What was recognised of the utterance so far. Never blank; its closing full stop proves nothing. */
  text: string;
  /**
   * The sound up to now, at most so much of its end: 16 kHz, mono, -1 to 1. Asked for at once: what is old is soon
   * forgotten.
   */
  newestSound(ms: number): Float32Array;
  /** BCP 47: what the customer speaks. */
  language: string;
  agentSaid: AgentWords | null;
  /** Where the utterance began so soon after the agent's voice that it may be the end of it; else null. */
  echoOf: AgentVoice | null;
  /** Oldest first. */
  history: readonly Experience[];
}

export interface PauseVerdict {
  /** How likely the turn is over, 0 to 1. */
  likelihood: number;
  /** Silence after which it counts as over, in milliseconds since the speech ended; at most LONGEST_WAIT_MS. */
  waitMs: number;
  /** Nobody spoke: it was the end of the agent's own voice. */
  isEcho: boolean;
  /** Which rule or model says so. */
  rule: string;
}

/** Somebody speaks over the agent's voice, or before its reply is heard: what is it? */
export interface TalkOver {
  /** What was recognised of the speech so far, '' for none. */
  text: string;
  /** BCP 47: what the customer speaks. */
  language: string;
  newestSound(ms: number): Float32Array;
  /** How much of it was voiced, in milliseconds. */
  voicedMs: number;
  /** Whether it has ended. */
  ended: boolean;
  /** What the agent is saying, or has just said; null while it only prepares to speak. */
  agent: AgentVoice | null;
  /** Whether it began over the agent's voice; else before any of the reply was heard. */
  overVoice: boolean;
  /** It ended as soon as the agent's voice had paused: an echo does, a person talks on. */
  stoppedWithAgent: boolean;
  /** No louder than the agent's own voice is heard in the microphone. */
  asQuietAsEcho: boolean;
  /** Not so loud that it cannot be that voice. */
  mayBeEcho: boolean;
}

export interface TalkOverVerdict {
  /**
   * `claim`: the customer takes the floor. `agreement`: a sign of attention. `noise` and `echo`: nobody spoke to the
   * agent. `unsure`: more must be heard.
   */
  kind: 'claim' | 'agreement' | 'noise' | 'echo' | 'unsure';
  /** Which rule or model says so. */
  rule: string;
}

/**
 * Judges turns: whether somebody who pauses is done, and what speech over the agent is. It keeps nothing between two
 * questions; what the call has taught comes with each. Who asks does not wait for it: an answer that is late, or never
 * comes, is replaced by a rule of time alone.
 */
export interface TurnJudgementEngine {
  readonly name: string;
  /** @throws EngineError, or the signal's reason */
  pause(pause: CustomerPause, signal: AbortSignal): Promise<PauseVerdict>;
  /** @throws EngineError, or the signal's reason */
  talkOver(speech: TalkOver, signal: AbortSignal): Promise<TalkOverVerdict>;
  close(): Promise<void>;
}
