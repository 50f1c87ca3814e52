import type { PauseVerdict } from '#server/engines/turn-judgement/contract';
import type { Partials } from './partials.ts';
import { meanPower, type RecentSound } from './sound.ts';
import type { Transcription } from './transcription.ts';

/** A question the judge has not answered yet, and where the stream stood when it was asked. */
interface Asked {
  at: number;
}

/** One silence within, or at the end of, an utterance. */
export interface Pause {
  /** Ends recognition and judgement of it. */
  over: AbortController;
  /** Settles when `text` is known or has failed. */
  recognized: Promise<void>;
  /** Settles when the judge has answered what it was asked last. */
  judged: Promise<void>;
  upTo: number;
  open: string;
  text: string | null;
  /** When `text` was being recognised, by `performance.now()`. */
  recognition: { startedAt: number; endedAt: number } | null;
  recognizedAgain: boolean;
  asked: Asked | null;
  verdict: PauseVerdict | null;
  candidateTold: boolean;
}

/** Who has the floor is not decided: somebody speaks over the agent, or before its reply has begun. */
export interface Contest {
  /** Whether `hold` was told; not where the agent's echo is expected. */
  held: boolean;
  /** Where the speech stood when the voice was held. */
  heldAt: number;
  nextLook: number;
  /** Words of speech that goes on are being recognised and judged. */
  look: (Asked & { over: AbortController }) | null;
  /** What was said until a pause is being judged. */
  asked: Asked | null;
}

/** Somebody speaks: from the first voiced frame until it is taken as an utterance or dismissed. Places are in samples. */
export interface Speech {
  readonly from: number;
  readonly startedAt: number;
  /** End of the last voiced frame. */
  endedAt: number;
  /** Where it truly fell silent, once it pauses: a detector goes on for some 60 ms. */
  quietFrom: number;
  voiced: number;
  power: number;
  /** Power of its loudest frame. */
  peak: number;
  readonly transcription: Transcription;
  readonly partials: Partials;
  /** Ends everything that is under way for it. */
  readonly over: AbortController;
  pause: Pause | null;
  contest: Contest | null;
  /** The last words that were recognised of it. */
  lastText: string;
  continues: boolean;
  /** Whether `speaking` was told; not of what may be the agent's echo. */
  announced: boolean;
  /** Its contest is, or was, with the agent's audible voice. */
  overAgent: boolean;
  full: boolean;
}

/** Speech whose first frames stand at the end of the sound. */
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
