import type { PauseVerdict, TalkOverVerdict, TurnJudgementEngine } from './contract.ts';

/** Reports each verdict of a judge to a listener, so that the reason for a taken turn can be looked up. */
export function toldVerdicts(
  judge: TurnJudgementEngine,
  tell: (verdict: PauseVerdict | TalkOverVerdict) => void,
): TurnJudgementEngine {
  return {
    name: judge.name,
    async pause(pause, signal) {
      const verdict = await judge.pause(pause, signal);
      tell(verdict);
      return verdict;
    },
    async talkOver(speech, signal) {
      const verdict = await judge.talkOver(speech, signal);
      tell(verdict);
      return verdict;
    },
    close: () => judge.close(),
  };
}
