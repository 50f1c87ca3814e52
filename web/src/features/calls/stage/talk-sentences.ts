import { toast } from '#web/ui/layers/toast';
import type { TalkProblem } from '../speech/talk-state.ts';

/** The alert of the specification, word for word (section 8). */
const DENIED = 'Could not access microphone. Please check your permissions.';

const deviceSentences: Record<Extract<TalkProblem, { kind: 'device' }>['failure'], string> = {
  denied: 'The microphone is blocked. Allow it beside the page’s address, then try again, or type instead.',
  none: 'No microphone was found. Plug one in and try again, or type instead.',
  'in-use': 'Another app is using the microphone. Close it there and try again, or type instead.',
  unplugged: 'The microphone was unplugged. Plug it in and try again, or type instead.',
  insecure:
    'A browser gives the microphone only to a secure page. Open this one with https:// or on localhost, or type instead.',
  unsupported: 'This browser cannot record sound. Use a current one, or type instead.',
};

/** What is wrong with speaking, and the way on, as one sentence. */
export function problemSentence(problem: TalkProblem): string {
  return problem.kind === 'server' ? problem.message : deviceSentences[problem.failure];
}

/** Whether trying again can help without another browser or address. */
export function canTryAgain(problem: TalkProblem): boolean {
  return problem.kind === 'server' || (problem.failure !== 'insecure' && problem.failure !== 'unsupported');
}

/** Interrupts with the specified alert where the microphone is denied; every other problem is an alert in its place. */
export function alertDenied(problem: TalkProblem | null): void {
  if (problem?.kind === 'device' && problem.failure === 'denied') toast.error(DENIED);
}
