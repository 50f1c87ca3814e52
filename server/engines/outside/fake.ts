import { EngineError } from '#server/lib/engine-error';
import type { Outside, OutsideRequest } from './contract.ts';

/**
 * A scripted internet: an answer for each address, as a page's text or as a whole response. Everything else
 * is not found.
 */
export function createFakeOutside(
  answers: Record<string, string | ((request: OutsideRequest) => Response)> = {},
): Outside & { readonly asked: OutsideRequest[] } {
  const asked: OutsideRequest[] = [];
  return {
    asked,
    async fetch(request, signal) {
      signal?.throwIfAborted();
      asked.push(request);
      const answer = answers[request.url];
      if (answer === undefined)
        throw new EngineError(`${new URL(request.url).host} was not found: check the address.`, {
          retryable: false,
        });
      const response =
        typeof answer === 'string'
          ? new Response(answer, { headers: { 'content-type': 'text/html; charset=utf-8' } })
          : answer(request);
      return { url: request.url, response };
    },
  };
}
