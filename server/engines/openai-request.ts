import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { EngineError, ProviderComplaint } from '#server/engines/engine-error';

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
      throw refused(service, response.status, await complaintIn(response));
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

function refused({ label, settings }: OpenAiService, status: number, cause: Error | undefined): EngineError {
  const refusal = (sentence: string, retryable: boolean) =>
    new EngineError(`${label} ${sentence}.`, { retryable, cause });
  if (status === 401 || status === 403) return refusal(`refused the server’s key (${settings.key})`, false);
  if (status === 404) return refusal(`was not found (${settings.address}, ${settings.model})`, false);
  if (status === 429) return refusal('is busy', true);
  if (status >= 500) return refusal('has a problem', true);
  return refusal('refused the request', false);
}

/** As OpenAI writes what is wrong, and as others do. */
const complaintSchema = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
]);
const MAX_COMPLAINT_BYTES = 20_000;

/** What a server says of why it refuses, for whoever runs this one; undefined where it says nothing that can be read. */
async function complaintIn({ body }: Response): Promise<Error | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels what would still come.
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_COMPLAINT_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    return new ProviderComplaint(complaintSchema.parse(JSON.parse(Buffer.concat(chunks).toString())));
  } catch {
    return undefined;
  }
}
