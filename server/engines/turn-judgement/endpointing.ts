import type { Ending, ExpectedAnswer, TurnTakingLanguage } from '#server/languages/turn-taking';
import { LONGEST_WAIT_MS } from './contract.ts';

interface EndpointHints {
  /** The kind of answer that the agent asked for last. */
  expects?: ExpectedAnswer;
  /** Added to the short waits after the customer was cut off, in milliseconds. */
  patienceMs?: number;
}

/** Waits up to this length follow complete sentences; only they are extended by patience. */
const LONGEST_SHORT_WAIT_MS = 1_000;

/**
 * Silence to wait for, by how the words end. People pause for 0.2 s between turns (Stivers et al., PNAS 2009)
 * and for 0.4 to 1.5 s while they think in mid-sentence, so words rather than time must decide.
 */
const waits: Record<Ending, number> = {
  question: 300,
  'complete-answer': 300,
  request: 320,
  finished: 600,
  opening: 850,
  'open-ended': 1_000,
  list: 1_300,
  spelling: 1_700,
  unfinished: 1_800,
  hesitating: LONGEST_WAIT_MS,
};

/**
 * How long to wait after these words before taking the turn, in milliseconds.
 * @param text the utterance recognised so far; a closing full stop proves nothing
 */
export function endpoint(
  text: string,
  language: TurnTakingLanguage,
  { expects = 'anything', patienceMs = 0 }: EndpointHints = {},
): { waitMs: number; ending: Ending } {
  const ending = language.readEnding(text, expects);
  const longer = waits[ending] <= LONGEST_SHORT_WAIT_MS ? patienceMs : 0;
  return { waitMs: Math.min(waits[ending] + longer, LONGEST_WAIT_MS), ending };
}
