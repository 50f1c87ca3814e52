import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '#server/engines/engine-error';

export interface OpenAiService {
  /** How a sentence names it: "The speech recognition". */
  label: string;
  /** Settings that a sentence points to. */
  settings: { address: string; model: string; key: string };
  /** Base address such as https://api.openai.com/v1 */
  baseUrl: string;
  apiKey: string | null;
  /** Longest wait for a whole answer, in milliseconds. */
  timeoutMs: number;
  /** Waits before further attempts, in milliseconds; as many as there are. */
  retryDelaysMs: readonly number[];
}

/** What is sent; made anew for every attempt. */
type OpenAiBody = () => { body: FormData | string; contentType?: string };

/**
 * Posts to a server that speaks OpenAI's API and reads the whole answer. A failure that may pass (no connection, too slow,
 * busy, its own error) is tried again.
 * @throws EngineError with a sentence that is safe to show: neither the key nor what the server answered is part of it;
 *   the signal's reason
 */
export async function askOpenAi(
  service: OpenAiService,
  path: string,
  body: OpenAiBody,
  signal: AbortSignal | undefined,
  retryDelaysMs = service.retryDelaysMs,
): Promise<Uint8Array<ArrayBuffer>> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await once(service, path, body(), signal);
    } catch (error) {
      signal?.throwIfAborted();
      const wait = retryDelaysMs[attempt];
      if (!(error instanceof EngineError) || !error.retryable || wait === undefined) throw error;
      await delay(wait, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
    }
  }
}

async function once(
  service: OpenAiService,
  path: string,
  { body, contentType }: ReturnType<OpenAiBody>,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  signal?.throwIfAborted();
  const clock = AbortSignal.timeout(service.timeoutMs);
  try {
    const response = await fetch(`${service.baseUrl.replace(/\/+$/, '')}${path}`, {
      method: 'POST',
      headers: {
        ...(contentType ? { 'content-type': contentType } : {}),
        ...(service.apiKey ? { authorization: `Bearer ${service.apiKey}` } : {}),
      },
      body,
      // The settings name the server; it does not get to name another one for what customers say, and for the key.
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, clock]) : clock,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw refused(service, response.status);
    }
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof EngineError) throw error;
    if (clock.aborted)
      throw new EngineError(`${service.label} took too long to answer.`, { retryable: true });
    throw new EngineError(`${service.label} cannot be reached.`, { retryable: true, cause: error });
  }
}

function refused({ label, settings }: OpenAiService, status: number): EngineError {
  if (status === 401 || status === 403)
    return new EngineError(`${label} refused the server’s key (${settings.key}).`, { retryable: false });
  if (status === 404)
    return new EngineError(`${label} was not found (${settings.address}, ${settings.model}).`, {
      retryable: false,
    });
  if (status === 429) return new EngineError(`${label} is busy.`, { retryable: true });
  if (status >= 500) return new EngineError(`${label} has a problem.`, { retryable: true });
  return new EngineError(`${label} refused the request.`, { retryable: false });
}
