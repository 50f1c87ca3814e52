import type { CompletionRequest, LanguageEngine } from './contract.ts';

/** A model that says what a test tells it to, in pieces of three characters, and keeps what it was asked. */
export function createFakeLanguage(answer: (request: CompletionRequest) => string): LanguageEngine & {
  readonly requests: CompletionRequest[];
} {
  const requests: CompletionRequest[] = [];
  return {
    name: 'fake-model',
    requests,
    async *stream(request) {
      requests.push(request);
      const text = answer(request);
      for (let at = 0; at < text.length; at += 3) {
        request.signal.throwIfAborted();
        yield text.slice(at, at + 3);
      }
    },
  };
}
