import type { TurnJudgementEngine } from '#server/engines/turn-judgement/contract';
import type { AgentVoice } from './agent-voice.ts';
import type { TurnTakingListener } from './contract.ts';
import type { CallExperience } from './experience.ts';
import type { RecentSound } from './sound.ts';
import type { Speech } from './speech.ts';

/** What the parts of one hands-free stream share. */
export interface Stream {
  /** BCP 47: what the customer speaks. */
  readonly language: string;
  readonly sound: RecentSound;
  readonly agent: AgentVoice;
  readonly judgement: TurnJudgementEngine;
  readonly experience: CallExperience;
  /** Frames in a row that are voiced, up to the newest. */
  voicedInRow(): number;
  /** Whether this speech is still followed. */
  follows(speech: Speech): boolean;
  tell(tell: (listener: TurnTakingListener) => void): void;
  /** Tells that somebody speaks, once. */
  announce(speech: Speech): void;
  /** What was said is an utterance. */
  take(speech: Speech): void;
  /** Nothing was said, or nothing to the agent. */
  dismiss(speech: Speech): void;
}
