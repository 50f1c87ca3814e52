import type { z } from 'zod';
import { errorBodySchema } from '#shared/errors';
import { t } from '#web/texts/common';
import { ApiError } from './api-error.ts';
import { API_URL } from './api-url.ts';
import { endSession, getSession } from './session.ts';

const TIMEOUT_MS = 20_000;

export interface RequestOptions<T> {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON, a FormData as the parts it holds. */
  body?: unknown;
  /** What the answer must be; without it the body is not read. */
  schema?: z.ZodType<T>;
  signal?: AbortSignal | undefined;
  /** How long the answer may take, in milliseconds: 20 seconds unless the work is known to take longer. */
  timeoutMs?: number;
  headers?: Record<string, string>;
  /** Whose request it is, where it is not the session's: null sends no token, as signing in does. */
  token?: string | null;
}

/** The answer's body and its headers. */
export interface Answer<T> {
  data: T;
  headers: Headers;
}

/**
 * Calls the API with the session's token and checks what comes back.
 * An answer of 401 to a signed-in request ends the session, unless it says that a password was wrong.
 * @throws ApiError when it was refused, did not arrive in time, or was answered with something else.
 *   An abort by `signal` rejects with the signal's reason.
 */
export async function request<T = undefined>(
  path: string,
  options: RequestOptions<T> = {},
): Promise<Answer<T>> {
  const token = options.token === undefined ? getSession().token : options.token;
  const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const { body: sent } = options;
  const isForm = sent instanceof FormData;
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(`${API_URL}${path}`, {
      method: options.method ?? 'GET',
      headers: {
        accept: 'application/json',
        ...options.headers,
        ...(sent === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(sent === undefined ? {} : { body: isForm ? sent : JSON.stringify(sent) }),
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    });
    body = response.status === 204 ? undefined : readJson(await response.text());
  } catch (error) {
    if (options.signal?.aborted) throw options.signal.reason;
    throw ApiError.unreachable(error);
  }
  if (!response.ok) {
    throw refusedAs(response.status, body, token);
  }
  if (!options.schema) return { data: undefined as T, headers: response.headers };
  const parsed = options.schema.safeParse(body);
  if (!parsed.success)
    throw new ApiError(response.status, 'bad-answer', t('badAnswer'), {
      cause: parsed.error,
    });
  return { data: parsed.data, headers: response.headers };
}

/**
 * Fetches a file with the session's token, however long it takes.
 * @throws ApiError when it was refused, or broke off
 */
export async function requestFile(path: string): Promise<Blob> {
  const { token } = getSession();
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(`${API_URL}${path}`, {
      headers: token ? { authorization: `Bearer ${token}` } : {},
    });
    if (response.ok) return await response.blob();
    body = readJson(await response.text());
  } catch (error) {
    throw ApiError.unreachable(error);
  }
  throw refusedAs(response.status, body, token);
}

/** As `request`, for the body alone. */
export async function requestData<T>(
  path: string,
  options: RequestOptions<T> & { schema: z.ZodType<T> },
): Promise<T> {
  return (await request(path, options)).data;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What was refused, and the end of the session where nobody knows it any more. */
function refusedAs(status: number, body: unknown, token: string | null): ApiError {
  const refused = refusal(status, body);
  // A password or code that was asked for once more may be wrong: the session goes on.
  const isOver =
    status === 401 && refused.code !== 'invalid-credentials' && refused.code !== 'second-factor-needed';
  if (isOver && token && getSession().token === token) endSession('expired');
  return refused;
}

function refusal(status: number, body: unknown): ApiError {
  const known = errorBodySchema.safeParse(body);
  if (known.success)
    return new ApiError(status, known.data.code, known.data.message, {
      fields: known.data.fields,
      serverMessage: known.data.message,
    });
  const message = messageOf(body);
  return new ApiError(
    status,
    'internal',
    message ?? t('serverFailed'),
    message ? { serverMessage: message } : {},
  );
}

/** Some servers and proxies send only one of the two keys. */
function messageOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  if ('message' in body && typeof body.message === 'string') return body.message;
  if ('error' in body && typeof body.error === 'string') return body.error;
  return null;
}
