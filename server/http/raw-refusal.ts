import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import type { AppError } from '#server/lib/errors';

/** A refusal as it stands on the wire, for what is answered before, or without, any route. */
export interface RawRefusal {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** For what no route answers, so that none of its headers are there: nobody is to make a page of it. */
export const bareHeaders = {
  'content-security-policy': "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** A year, with every name below: only where customers come over TLS. */
export const strictTransport = (publicUrl: string | null): Record<string, string> =>
  publicUrl?.startsWith('https:')
    ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : {};

/** @param more further headers */
export function rawRefusal(refusal: AppError, more: Record<string, string> = {}): RawRefusal {
  const body = JSON.stringify(refusal.toBody());
  return {
    status: refusal.status,
    headers: {
      'x-request-id': uuidv7(),
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'no-store',
      ...bareHeaders,
      ...retryAfter(refusal),
      ...more,
    },
    body,
  };
}

/** When to come back, in whole seconds. */
export const retryAfter = ({ retryAfterMs }: AppError): Record<string, string> =>
  retryAfterMs === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) };

/** Answers on a bare connection, and ends it. */
export function endWith(socket: Duplex, { status, headers, body }: RawRefusal): void {
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
