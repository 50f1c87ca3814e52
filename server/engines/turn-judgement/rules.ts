import { packOf } from '#server/languages/index';
import type { Ending } from '#server/languages/turn-taking';
import type { CustomerPause, PauseVerdict, TurnJudgementEngine } from './contract.ts';
import { isEcho } from './echo.ts';
import { endpoint } from './endpointing.ts';
import { patienceMs } from './patience.ts';
import { judgeTalkOver } from './talk-over.ts';

/** Fewer words than these prove no echo of a voice that has ended already. */
const WORDS_OF_A_LATE_ECHO = 3;

/**
 * How often a silence after such words was the end of the turn: (ends + 1) / (silences + 2) of the development half of
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

/** The embedded judge: rules over the words, and over what the call has taught. Answers at once, and never fails. */
export function createRules(language = packOf('en').turnTaking): TurnJudgementEngine {
  return {
    name: 'Rules',
    async pause(pause) {
      return judgePause(pause);
    },
    async talkOver(speech) {
      return judgeTalkOver(speech, language);
    },
    async close() {},
  };

  function judgePause({ text, agentSaid, echoOf, history }: CustomerPause): PauseVerdict {
    const { waitMs, ending } = endpoint(text, language, { agentSaid, patienceMs: patienceMs(history) });
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
}
