import type { Checking } from '#shared/engine-settings';
import type { Judge } from './judge.ts';

/**
 * Decides whether a sentence is said. What surely may not be said never is; what states nothing, always. The rest goes by how
 * closely the model is checked: by `strictly` alone, or by the model's own verdict where it is doubtful, or always. Where there is
 * no verdict in time, `strictly` decides.
 * @returns why it is not said, in words for a log; null where it is
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
