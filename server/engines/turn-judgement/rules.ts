import { packOf } from '#server/languages/index';
import type { Ending } from '#server/languages/turn-taking';
import type { CustomerPause, PauseVerdict, TurnJudgementEngine } from './contract.ts';
import { isEcho } from './echo.ts';
import { endpoint } from './endpointing.ts';
import { patienceMs } from './patience.ts';
import { judgeTalkOver } from './talk-over.ts';

/** Fewer words do not prove an echo of a voice that has ended. */
const WORDS_OF_A_LATE_ECHO = 3;

/**
 * How often a silence after such words ended the turn: (ends + 1) / (silences + 2) of the development half of
 * the speech set, stops inside sentences included.
 */
const likelihoods: Record<Ending, number> = {
  request: 0.92,
  question: 0.82,
  'complete-answer': 0.82,
  finished: 0.7,
  opening: 0.5,
  'open-ended': 0.5,
  spelling: 0.35,
  list: 0.3,
  hesitating: 0.14,
  unfinished: 0.11,
};

/**
 * The embedded judge: rules about the words and what the call has taught. Answers at once and never fails.
 */
export function createRules(): TurnJudgementEngine {
  return {
    name: 'Rules',
    pause: async (pause) => judgePause(pause),
    talkOver: async (speech) => judgeTalkOver(speech, packOf(speech.language).turnTaking),
    close: async () => {},
  };
}

function judgePause({ text, language: spoken, agentSaid, echoOf, history }: CustomerPause): PauseVerdict {
  const language = packOf(spoken).turnTaking;
  const hints = { expects: agentSaid?.expects, patienceMs: patienceMs(history) };
  const { waitMs, ending } = endpoint(text, language, hints);
  const words = language.wordsOf(text);
  const isLateEcho =
    echoOf !== null && words.length >= WORDS_OF_A_LATE_ECHO && isEcho(words, echoOf, language);
  return {
    likelihood: likelihoods[ending],
    waitMs,
    isEcho: isLateEcho,
    rule: isLateEcho ? "the agent's words" : ending,
  };
}
