import { packOf } from '#server/languages/index';
import type { Ending } from '#server/languages/turn-taking';
import type { CustomerPause, PauseVerdict, TurnJudgementEngine } from './contract.ts';
import { isEcho } from './echo.ts';
import { endpoint } from './endpointing.ts';
import { patienceMs } from './patience.ts';
import { judgeTalkOver } from './talk-over.ts';

/** Fewer words than these prove no echo of a voice that has ended already. */
const WORDS_OF_A_LATE_ECHO = 3;

/** How often a pause after such words was the end of the turn, on the development half of the speech set. */
const likelihoods: Record<Ending, number> = {
  question: 0.9,
  'complete-answer': 0.9,
  request: 0.9,
  finished: 0.8,
  opening: 0.5,
  'open-ended': 0.5,
  list: 0.3,
  spelling: 0.2,
  unfinished: 0.1,
  hesitating: 0.05,
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
