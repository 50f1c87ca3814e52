import type { Outside, OutsideRequest } from '#server/engines/outside/contract';
import { EngineError } from '#server/lib/engine-error';
import { codeOf } from '#server/lib/error-code';
import { JsonLook, MAX_JSON_DEPTH } from '#server/lib/json-bounds';
import { readAtMost } from '#server/lib/read-at-most';
import { parseShallowJson } from '#server/lib/shallow-json';
import type { ActionsEngine, SystemAnswer, SystemRequest } from './contract.ts';

/** The longest wait for a system, in milliseconds: a customer is waiting. */
export const TIMEOUT_MS = 8_000;
/** Largest answer in bytes, unpacked. */
export const MAX_BYTES = 64_000;
/** Retry only failures quicker than this (ms): the customer has hardly waited yet. */
const RETRY_WITHIN_MS = 2_000;
/** Characters of a non-JSON answer that the owner sees. */
const MAX_SHOWN = 2_000;
/** Methods that may be repeated safely (RFC 9110, 9.2.2). */
const IDEMPOTENT = new Set<SystemRequest['method']>(['GET', 'PUT', 'DELETE']);
/** Statuses of a passing failure, worth a retry. */
const PASSING = new Set([429, 502, 503, 504]);
/** No connection was made, so the request was never sent. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

export interface ActionsOptions {
  outside: Outside;
  /** Hosts in private networks that actions may reach. */
  privateHosts: readonly string[];
  timeoutMs?: number;
}

type Attempt = Omit<SystemAnswer, 'ms'> & { isPassing?: boolean };

/** Calls a business's systems over HTTP. */
export function createHttpCalls({
  outside,
  privateHosts,
  timeoutMs = TIMEOUT_MS,
}: ActionsOptions): ActionsEngine['call'] {
  return async (request, signal) => {
    const begin = performance.now();
    const passed = () => Math.round(performance.now() - begin);
    const first = await attempt(request, signal);
    const isWorthIt = first.isPassing && IDEMPOTENT.has(request.method) && passed() < RETRY_WITHIN_MS;
    const { isPassing: _, ...answer } = isWorthIt ? await attempt(request, signal) : first;
    return { ...answer, ms: passed() };
  };

  async function attempt(request: SystemRequest, signal: AbortSignal): Promise<Attempt> {
    const { account, method, body, idempotencyKey } = request;
    /** Whether the action may have been carried out although no usable answer came. */
    const mayBeDone = method !== 'GET';
    let status: number | null = null;
    try {
      const asked: OutsideRequest = {
        account,
        url: request.url,
        method,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...request.headers,
          ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeoutMs,
        // Counted here instead: an answer that is too long differs from no answer.
        maxBytes: Number.MAX_SAFE_INTEGER,
        privateHosts,
      };
      const { response } = await outside.fetch(asked, signal);
      status = response.status;
      return { status, ...read(response, await bodyOf(response), mayBeDone) };
    } catch (error) {
      signal.throwIfAborted();
      const { message, retryable, cause } =
        error instanceof EngineError
          ? error
          : new EngineError('It cannot be reached.', { retryable: true, cause: error });
      const wasSent = status !== null || (retryable && !NEVER_SENT.has(codeOf(cause)));
      return {
        outcome: wasSent && mayBeDone ? 'unknown' : 'failed',
        status,
        answer: null,
        problem: message,
        isPassing: retryable,
      };
    }
  }
}

function read(response: Response, body: Buffer, mayBeDone: boolean): Omit<Attempt, 'status'> {
  const { status, ok } = response;
  const text = body.toString('utf8');
  const isTooDeep = isNestedTooDeep(body);
  const json = isTooDeep ? undefined : parsed(text);
  const answer = json === undefined ? text.slice(0, MAX_SHOWN) : json;
  const failed = (problem: string): Omit<Attempt, 'status'> => ({
    outcome: 'failed',
    answer,
    problem,
    isPassing: PASSING.has(status),
  });
  if (ok && json !== undefined) return { outcome: 'done', answer: json };
  if (ok) {
    const isPage = /html/i.test(response.headers.get('content-type') ?? '') || /^\s*</.test(text);
    return {
      outcome: mayBeDone ? 'unknown' : 'failed',
      answer,
      problem: isPage ? WEB_PAGE : isTooDeep ? NESTED_TOO_DEEP : 'It answered with what is no JSON.',
    };
  }
  if (status === 401 || status === 403) return failed(`It refused the headers (${status}): check the key.`);
  if (status >= 300 && status < 400) return failed(`It redirects elsewhere (${status}): enter that address.`);
  if (status === 408 || status === 429) return failed(`It is too busy to answer (${status}).`);
  if (status >= 500) return failed(`It has a problem of its own (${status}).`);
  return { outcome: 'refused', answer, problem: `It refused the request (${status}).` };
}

const WEB_PAGE = 'It answered with a web page instead of JSON: check the address.';
export const NESTED_TOO_DEEP = `It answered with JSON that is nested more than ${MAX_JSON_DEPTH} levels deep.`;

/** Code that walks over an answer may recurse, so its depth is limited. */
export const isNestedTooDeep = (json: Uint8Array): boolean =>
  new JsonLook({ depth: MAX_JSON_DEPTH, values: Number.POSITIVE_INFINITY }).add(json) !== null;

/** @throws EngineError when the body is too long */
async function bodyOf(response: Response): Promise<Buffer> {
  const answer = await readAtMost(response.body ?? [], MAX_BYTES);
  if (!answer) throw new EngineError('It answered with more than 64 kB.', { retryable: false });
  return answer;
}

/** The parsed JSON; null for an empty body; undefined if it is not JSON. */
function parsed(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return parseShallowJson(text);
  } catch {
    return undefined;
  }
}
