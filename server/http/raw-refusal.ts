import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import type { AppError } from '#server/lib/errors';

/** A refusal as sent on the wire, for requests that no route answers. */
export interface RawRefusal {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Headers for answers outside all routes: a browser must not render them as a page. */
export const bareHeaders = {
  'content-security-policy': "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** HSTS for a year, subdomains included: only where customers connect over TLS. */
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

/** `Retry-After` in whole seconds. */
export const retryAfter = ({ retryAfterMs }: AppError): Record<string, string> =>
  retryAfterMs === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) };

/** Sends the refusal on a raw connection and closes it. */
export function endWith(socket: Duplex, { status, headers, body }: RawRefusal): void {
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
