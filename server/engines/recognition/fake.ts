import { EngineError } from '#server/lib/engine-error';
import { untilAborted } from '#server/lib/wait';
import type { EngineStatus } from '#shared/status';
import type { RecognitionEngine, RecognitionRequest } from './contract.ts';

/** The fake's result: words, or a function of the request that resolves or rejects. */
type Hearing = string | ((request: RecognitionRequest) => string | Promise<string>);

interface FakeRecognition extends RecognitionEngine {
  /** All requests so far, with copies of their samples. */
  readonly requests: RecognitionRequest[];
  /** Results of the next final requests, in order; after them `otherwise`. */
  script: Hearing[];
  /** Result of partials, and of final requests beyond the script. */
  otherwise: Hearing;
}

/** Recognition for tests: answers at once, by the script. */
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
