import type { Checking } from '#shared/engine-settings';
import type { Judge } from './judge.ts';

/**
 * Decides whether a sentence is said. A forbidden sentence never is; one without a claim always is. For the rest it
 * depends on the grade of checking: `strictly` alone, or the model's own verdict for doubtful or for all sentences.
 * Without a verdict in time, `strictly` decides.
 * @returns the reason for withholding it, for a log; null if it is said
 * @throws the signal's reason
 */
export const admissionBy =
  (
    checking: Checking,
    judge: Judge,
    verdictOn: (sentence: string, evidence: string) => Promise<boolean | null>,
  ) =>
  async (sentence: string, cited: readonly number[]): Promise<string | null> => {
    const judgement = judge(sentence, cited);
    if (judgement.is === 'free') return null;
    if (judgement.is === 'forbidden') return judgement.reason;
    if (checking === 'strict') return judgement.strictly();
    if (checking === 'doubtful' && (judgement.isLoose || (await judgement.isSure()))) return null;
    const verdict = await verdictOn(sentence, judgement.evidence);
    if (verdict === null) return judgement.strictly();
    return verdict ? null : 'denied by the model itself';
  };
