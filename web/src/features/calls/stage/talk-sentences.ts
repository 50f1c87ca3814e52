import { t } from '#web/texts/calls';
import { toast } from '#web/ui/layers/toast';
import type { TalkProblem } from '../speech/talk-state.ts';

/** The alert of the specification, word for word (section 8). */
const DENIED = t('talk.problems.deniedAlert');

const deviceSentences: Record<Extract<TalkProblem, { kind: 'device' }>['failure'], string> = {
  denied: t('talk.problems.denied'),
  none: t('talk.problems.none'),
  'in-use': t('talk.problems.inUse'),
  unplugged: t('talk.problems.unplugged'),
  insecure: t('talk.problems.insecure'),
  unsupported: t('talk.problems.unsupported'),
};

/** The problem with speaking and its remedy, as one sentence. */
export function problemSentence(problem: TalkProblem): string {
  return problem.kind === 'server' ? problem.message : deviceSentences[problem.failure];
}

/** Whether another try can help without another browser or address. */
export function canTryAgain(problem: TalkProblem): boolean {
  return problem.kind === 'server' || (problem.failure !== 'insecure' && problem.failure !== 'unsupported');
}

/** Opens the specified alert if the microphone is denied; other problems are shown in place. */
export function alertDenied(problem: TalkProblem | null): void {
  if (problem?.kind === 'device' && problem.failure === 'denied') toast.error(DENIED);
}
