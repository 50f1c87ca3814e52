import type { PauseVerdict, TalkOverVerdict, TurnJudgementEngine } from './contract.ts';

/** A judge whose verdicts somebody else is told, too: why a turn was taken, or not, can be looked up. */
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
