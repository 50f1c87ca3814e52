import type { PauseVerdict } from '#server/engines/turn-judgement/contract';
import type { Partials } from './partials.ts';
import { meanPower, type RecentSound } from './sound.ts';
import type { Transcription } from './transcription.ts';

/** An unanswered question to the judge, and the stream's position when it was asked. */
interface Asked {
  at: number;
}

/** A silence within or at the end of an utterance. */
export interface Pause {
  /** Cancels its recognition and judgement. */
  over: AbortController;
  /** Settles when `text` is known or has failed. */
  recognized: Promise<void>;
  /** Settles when the judge has answered the last question. */
  judged: Promise<void>;
  upTo: number;
  open: string;
  text: string | null;
  /** Start and end of the recognition of `text`, by `performance.now()`. */
  recognition: { startedAt: number; endedAt: number } | null;
  recognizedAgain: boolean;
  asked: Asked | null;
  verdict: PauseVerdict | null;
  candidateTold: boolean;
}

/**
 * An open question of who has the floor: the customer speaks over the agent, or before its reply has begun.
 */
export interface Contest {
  /** Whether `hold` was called; not where the agent's echo is expected. */
  held: boolean;
  /** Position of the speech when the voice was paused. */
  heldAt: number;
  nextLook: number;
  /** Recognition and judgement of the words so far, while speech continues. */
  look: (Asked & { over: AbortController }) | null;
  /** Judgement of the words before a pause. */
  asked: Asked | null;
}

/**
 * Speech from the first voiced frame until it is taken as an utterance or dismissed. Positions are in
 * samples.
 */
export interface Speech {
  readonly from: number;
  readonly startedAt: number;
  /** End of the last voiced frame. */
  endedAt: number;
  /** Where it actually fell silent: a detector continues for some 60 ms. */
  quietFrom: number;
  voiced: number;
  power: number;
  /** Power of its loudest frame. */
  peak: number;
  readonly transcription: Transcription;
  readonly partials: Partials;
  readonly over: AbortController;
  pause: Pause | null;
  contest: Contest | null;
  /** The last recognised words. */
  lastText: string;
  continues: boolean;
  /** Whether `speaking` was called; not for what may be the agent's echo. */
  announced: boolean;
  /** Its contest is or was with the agent's audible voice. */
  overAgent: boolean;
  full: boolean;
}

/** New speech whose first frames are at the end of the sound. */
export function newSpeech(
  parts: Pick<Speech, 'from' | 'startedAt' | 'transcription' | 'partials' | 'over'>,
  sound: RecentSound,
): Speech {
  const now = sound.end;
  const power = meanPower(sound.slice(parts.startedAt, now));
  return {
    ...parts,
    endedAt: now,
    quietFrom: now,
    voiced: now - parts.startedAt,
    power,
    peak: power,
    pause: null,
    contest: null,
    lastText: '',
    continues: false,
    announced: false,
    overAgent: false,
    full: false,
  };
}

export const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);
