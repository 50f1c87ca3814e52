import type { z } from 'zod';
import { errorBodySchema } from '#shared/errors';
import { t } from '#web/texts/common';
import { ApiError } from './api-error.ts';
import { API_URL } from './api-url.ts';
import { endSession, getSession } from './session.ts';

const TIMEOUT_MS = 20_000;

export interface RequestOptions<T> {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON; a FormData as multipart. */
  body?: unknown;
  /** Schema of the answer; without it the body is not read. */
  schema?: z.ZodType<T>;
  signal?: AbortSignal | undefined;
  /** Timeout in milliseconds: default 20 seconds. */
  timeoutMs?: number;
  headers?: Record<string, string>;
  /** A token other than the session's; null sends none, as for signing in. */
  token?: string | null;
}

export interface Answer<T> {
  data: T;
  headers: Headers;
}

/**
 * Calls the API with the session's token and validates the answer. A 401 to a signed-in request ends the
 * session, unless it reports a wrong password.
 * @throws ApiError when refused, timed out, or answered with something invalid. An abort by `signal` rejects
 * with the signal's reason.
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
 * Downloads a file with the session's token, without a timeout.
 * @throws ApiError when refused or interrupted
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

/** Like `request`, but returns only the body. */
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

/** The error of a refusal; ends the session if the server no longer knows it. */
function refusedAs(status: number, body: unknown, token: string | null): ApiError {
  const refused = refusal(status, body);
  // A password or code entered again may be wrong: the session continues.
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
