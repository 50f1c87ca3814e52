import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { EngineError, ProviderComplaint } from '#server/lib/engine-error';
import { Patience } from '#server/lib/patience';
import { readAtMost } from '#server/lib/read-at-most';
import { withoutTrailingSlashes } from '#server/lib/trailing-slashes';

export interface OpenAiService {
  /** Name of the engine in error sentences: "The speech recognition". */
  label: string;
  /** Names of settings for error sentences. */
  settings: { address: string; model: string; key: string };
  /** Base address such as https://api.openai.com/v1 */
  baseUrl: string;
  apiKey: string | null;
  /** Longest wait for a whole answer, in milliseconds. */
  timeoutMs: number;
  /** Waits before each retry, in milliseconds. */
  retryDelaysMs: readonly number[];
}

/** The request body; created anew for every attempt. */
type OpenAiBody = () => {
  body: FormData | string;
  contentType?: string;
  /** Sends a low priority, for servers that support it (RFC 9218). */
  mayWait?: boolean;
};

const LESS_URGENT = { priority: 'u=5' };
/** A server that asks for a longer delay is not retried: the caller would not wait. */
const LONGEST_WAIT_MS = 5_000;
/** More than an hour of transcript or twenty minutes of speech. */
const MAX_ANSWER_BYTES = 64_000_000;

/**
 * Posts to an OpenAI-compatible server and reads the whole answer. A passing failure (no connection, timeout,
 * busy, server error) is retried, not sooner than the server asks for.
 * @throws EngineError with a sentence that is safe to show, without the key or the server's answer; the
 * signal's reason
 */
export const askOpenAi = (
  service: OpenAiService,
  path: string,
  body: OpenAiBody,
  signal: AbortSignal | undefined,
  retryDelaysMs = service.retryDelaysMs,
): Promise<Uint8Array<ArrayBuffer>> =>
  retried(() => whole(once(service, path, body(), signal)), retryDelaysMs, signal);

/**
 * As `askOpenAi`, but yields the answer as it comes. Nothing is retried after the first piece. Ending the
 * iteration ends the request.
 */
export async function* streamOpenAi(
  service: OpenAiService,
  path: string,
  body: OpenAiBody,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const { first, parts } = await retried(
    async () => {
      const parts = once(service, path, body(), signal);
      return { first: await parts.next(), parts };
    },
    service.retryDelaysMs,
    signal,
  );
  try {
    for (let step = first; !step.done; step = await parts.next()) yield step.value;
  } finally {
    await parts.return(undefined);
  }
}

async function retried<T>(
  ask: () => Promise<T>,
  delaysMs: readonly number[],
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      signal?.throwIfAborted();
      const delayMs = delaysMs[attempt];
      if (!(error instanceof EngineError) || !error.retryable || delayMs === undefined) throw error;
      const { retryAfterMs = 0 } = error;
      if (retryAfterMs > LONGEST_WAIT_MS) throw error;
      const wait = Math.max(delayMs, retryAfterMs);
      await delay(wait, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
    }
  }
}

async function whole(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return Uint8Array.from(Buffer.concat(all));
}

async function* once(
  service: OpenAiService,
  path: string,
  { body, contentType, mayWait }: ReturnType<OpenAiBody>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  signal?.throwIfAborted();
  const patience = new Patience(service.timeoutMs);
  try {
    const response = await patience.during(
      fetch(`${withoutTrailingSlashes(service.baseUrl)}${path}`, {
        method: 'POST',
        headers: {
          ...(contentType ? { 'content-type': contentType } : {}),
          ...(mayWait ? LESS_URGENT : {}),
          ...(service.apiKey ? { authorization: `Bearer ${service.apiKey}` } : {}),
        },
        body,
        // The settings name the server; it must not redirect the customer's words and the key elsewhere.
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, patience.signal]) : patience.signal,
      }),
    );
    if (!response.ok) throw refused(service, response, await patience.during(complaintIn(response)));
    yield* partsOf(service, response, patience);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof EngineError) throw error;
    if (patience.signal.aborted)
      throw new EngineError(`${service.label} took too long to answer.`, { retryable: true });
    throw new EngineError(`${service.label} cannot be reached.`, { retryable: true, cause: error });
  }
}

async function* partsOf(
  { label }: OpenAiService,
  { body }: Response,
  patience: Patience,
): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (!reader) return;
  let bytes = 0;
  try {
    for (;;) {
      const { value } = await patience.during(reader.read());
      if (!value) return;
      bytes += value.byteLength;
      if (bytes > MAX_ANSWER_BYTES) throw new EngineError(`${label} sent too much.`, { retryable: false });
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function refused(
  { label, settings }: OpenAiService,
  { status, headers }: Response,
  cause: Error | undefined,
): EngineError {
  const refusal = (sentence: string, retryable: boolean) =>
    new EngineError(`${label} ${sentence}.`, { retryable, retryAfterMs: retryAfterMs(headers), cause });
  if (status === 401 || status === 403) return refusal(`refused the server’s key (${settings.key})`, false);
  if (status === 404) return refusal(`was not found (${settings.address}, ${settings.model})`, false);
  if (status === 429) return refusal('is busy', true);
  if (status >= 500) return refusal('has a problem', true);
  return refusal('refused the request', false);
}

/** The delay in `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3). */
function retryAfterMs(headers: Headers): number | undefined {
  const said = headers.get('retry-after')?.trim();
  if (!said) return undefined;
  const ms = /^\d+$/.test(said) ? Number(said) * 1_000 : Date.parse(said) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Error bodies of OpenAI and of others. */
const complaintSchema = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
]);
const MAX_COMPLAINT_BYTES = 20_000;

/** The server's reason for refusing, for the operator; undefined if it is not readable. */
async function complaintIn({ body }: Response): Promise<Error | undefined> {
  const said = await readAtMost(body ?? [], MAX_COMPLAINT_BYTES);
  if (!said) return undefined;
  try {
    return new ProviderComplaint(complaintSchema.parse(JSON.parse(said.toString())));
  } catch {
    return undefined;
  }
}
