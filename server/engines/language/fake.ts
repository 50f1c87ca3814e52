import {
  type CompletionEvent,
  type CompletionRequest,
  type LanguageEngine,
  unknownHabits,
} from './contract.ts';

/**
 * A scripted model: it says what the test tells it, in pieces of three characters, and records what it was
 * asked. An answer that is not a string is events, or an error after them.
 */
export function createFakeLanguage(
  answer: (request: CompletionRequest) => string | AsyncIterable<CompletionEvent>,
): LanguageEngine & {
  readonly requests: CompletionRequest[];
} {
  const requests: CompletionRequest[] = [];
  return {
    name: 'fake-model',
    checking: 'strict',
    habits: unknownHabits(),
    requests,
    async *stream(request) {
      requests.push(request);
      const text = answer(request);
      if (typeof text !== 'string') return yield* text;
      for (let at = 0; at < text.length; at += 3) {
        request.signal.throwIfAborted();
        yield { type: 'text', text: text.slice(at, at + 3) };
      }
      yield { type: 'end', reason: 'done', usage: { input: 100, output: Math.ceil(text.length / 4) } };
    },
  };
}
