import type { TurnJudgementEngine } from '#server/engines/turn-judgement/contract';
import type { AgentVoice } from './agent-voice.ts';
import type { TurnTakingListener } from './contract.ts';
import type { CallExperience } from './experience.ts';
import type { RecentSound } from './sound.ts';
import type { Speech } from './speech.ts';

/** Shared state of the parts of one hands-free stream. */
export interface Stream {
  /** The customer's language (BCP 47). */
  readonly language: string;
  readonly sound: RecentSound;
  readonly agent: AgentVoice;
  readonly judgement: TurnJudgementEngine;
  readonly experience: CallExperience;
  /** Number of consecutive voiced frames up to the newest. */
  voicedInRow(): number;
  /** Whether this speech is still current. */
  follows(speech: Speech): boolean;
  tell(tell: (listener: TurnTakingListener) => void): void;
  /** Calls `speaking(true)`, once. */
  announce(speech: Speech): void;
  /** Takes the speech as an utterance. */
  take(speech: Speech): void;
  /** Drops speech without words, or not meant for the agent. */
  dismiss(speech: Speech): void;
}
