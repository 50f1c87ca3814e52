import { readEnding } from './ending.ts';
import { type ExpectedAnswer, expectedAnswer } from './expected-answer.ts';

/** Why a pause is taken for an end, or not yet. */
export type EndpointReason =
  | 'question'
  | 'complete-answer'
  | 'request'
  | 'finished'
  | 'opening'
  | 'open-ended'
  | 'list'
  | 'spelling'
  | 'hesitating'
  | 'unfinished';

export interface Endpoint {
  /** Silence, in milliseconds since the speech ended, after which the customer counts as done. */
  waitMs: number;
  because: EndpointReason;
}

export interface EndpointHints {
  /** What the agent said last, or null. */
  agentSaid?: string | null;
  /** Added to the short waits for somebody who was cut off before, in milliseconds. */
  patienceMs?: number;
}

/** No pause is waited for longer: what was said then is taken as it is. */
export const LONGEST_WAIT_MS = 2_200;

/** Waits up to this one are those of sentences that can be over: patience makes them longer. */
const LONGEST_SHORT_WAIT_MS = 1_000;

/**
 * Silence to wait for, by what the words say. People pause for 0.2 s between turns (Stivers et al., PNAS 2009) and for
 * 0.4 to 1.5 s where they think in mid-sentence, so that words, not time, must tell the two apart.
 */
const waits: Record<EndpointReason, number> = {
  question: 300,
  'complete-answer': 300,
  request: 320,
  finished: 600,
  opening: 850,
  'open-ended': 1_000,
  list: 1_300,
  spelling: 1_700,
  unfinished: 1_800,
  hesitating: 2_200,
};

/**
 * How long to wait after these words before taking the turn.
 * @param text what was recognised of the utterance so far; its closing full stop proves nothing
 */
export function endpoint(text: string, hints: EndpointHints = {}): Endpoint {
  const expected: ExpectedAnswer = hints.agentSaid ? expectedAnswer(hints.agentSaid) : 'anything';
  const because = readEnding(text, expected);
  const patienceMs = waits[because] <= LONGEST_SHORT_WAIT_MS ? (hints.patienceMs ?? 0) : 0;
  return { waitMs: Math.min(waits[because] + patienceMs, LONGEST_WAIT_MS), because };
}

/** Whether these words alone show that a sentence is not over. */
export const looksUnfinished = (text: string) =>
  ['unfinished', 'hesitating', 'spelling'].includes(readEnding(text, 'anything'));
