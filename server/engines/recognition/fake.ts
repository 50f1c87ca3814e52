import { EngineError } from '#server/lib/engine-error';
import { untilAborted } from '#server/lib/wait';
import type { EngineStatus } from '#shared/status';
import type { RecognitionEngine, RecognitionRequest } from './contract.ts';

/** What the fake hears: the words, or a function of the request that answers or rejects as a test needs. */
type Hearing = string | ((request: RecognitionRequest) => string | Promise<string>);

interface FakeRecognition extends RecognitionEngine {
  /** Every request so far, its samples as they were then. */
  readonly requests: RecognitionRequest[];
  /** What the next final requests are answered, in order; none left: `otherwise`. */
  script: Hearing[];
  /** What requests beyond the script, and all partials, are answered. */
  otherwise: Hearing;
}

/** Ears for tests: at once, and whatever the script says was said. */
export function createFakeRecognition(
  options: { script?: Hearing[]; otherwise?: Hearing; status?: () => EngineStatus } = {},
): FakeRecognition {
  const closing = new AbortController();
  return {
    name: 'Fake ears',
    requests: [],
    script: options.script ?? [],
    otherwise: options.otherwise ?? '',
    status: options.status ?? (() => ({ state: 'ready', message: 'The ears are ready.' })),
    async recognize(request) {
      request.signal?.throwIfAborted();
      if (closing.signal.aborted) throw new EngineError('The ears are switched off.', { retryable: false });
      this.requests.push({ ...request, samples: request.samples.slice() });
      const next = request.urgency === 'final' ? this.script.shift() : undefined;
      const hearing = next ?? this.otherwise;
      const answer = Promise.resolve(typeof hearing === 'string' ? hearing : hearing(request));
      return untilAborted(answer, request.signal);
    },
    async close() {
      closing.abort();
    },
  };
}
