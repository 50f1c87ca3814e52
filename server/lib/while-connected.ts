import type { ServerResponse } from 'node:http';

/** Aborts when the client disconnects before its answer. */
export function whileConnected({ raw }: { raw: ServerResponse }): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new Error('The client went away.'));
  });
  return gone.signal;
}
