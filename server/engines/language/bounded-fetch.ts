/** More than any answer that is spoken, with all that surrounds its tokens. */
const MAX_BYTES = 2_000_000;

/**
 * Fetches from the server that the settings name, and from nobody else: redirects are refused, and an answer that does not
 * end is cut off with an error.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' });
  if (!response.body) return response;
  let bytes = 0;
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > MAX_BYTES) controller.error(new Error('The answer does not end.'));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(bounded, { status, statusText, headers });
};
