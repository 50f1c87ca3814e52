import { lookup as systemLookup } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { EngineError } from '#server/engines/engine-error';
import { codeOf } from '#server/error-code';
import { timeLimit } from '#server/wait';
import type { Outside, OutsideAnswer, OutsideRequest } from './contract.ts';
import { isPublicAddress } from './public-address.ts';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 5_000_000;
const MAX_REDIRECTS = 5;
const MAX_ADDRESS = 4_000;

/** Statuses whose answers have no body, which a Response insists on. */
const BODILESS = new Set([204, 205, 304]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

type Lookup = typeof systemLookup;

/**
 * Fetches over connections of its own, each to the very address that was looked up and checked: a name that means another
 * address a moment later leads nowhere else.
 */
export function createSafeFetch({ lookup = systemLookup }: { lookup?: Lookup } = {}): Outside {
  return {
    async fetch(request, signal) {
      signal?.throwIfAborted();
      const clock = timeLimit(request.timeoutMs ?? TIMEOUT_MS);
      const ends = signal ? AbortSignal.any([signal, clock]) : clock;
      let url = readAddress(request.url);
      try {
        return await follow();
      } catch (error) {
        signal?.throwIfAborted();
        if (clock.aborted) throw tooSlow(url);
        throw asSentence(error, url);
      }

      async function follow(): Promise<OutsideAnswer> {
        const { method = 'GET', maxRedirects = MAX_REDIRECTS } = request;
        const home = url.origin;
        for (let redirects = 0; ; redirects++) {
          const headers = url.origin === home ? request.headers : {};
          const message = await send(url, { ...request, method, headers: headers ?? {} }, ends);
          const { statusCode = 0 } = message;
          const { location } = message.headers;
          if (!REDIRECTS.has(statusCode) || location === undefined || method !== 'GET')
            return { url: url.href, response: asResponse(message, url, request, { clock, signal }) };
          message.destroy();
          if (redirects >= maxRedirects)
            throw new EngineError(`${url.host} redirects too often.`, { retryable: false });
          url = readAddress(location, url);
        }
      }
    },
  };

  /** Resolves with the head of the answer. */
  function send(
    url: URL,
    { method = 'GET', headers = {}, body, privateHosts = [] }: OutsideRequest,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const mayBePrivate = isNamed(url, privateHosts);
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) && !mayBePrivate && !isPublicAddress(literal)) throw refused(url);
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const sent = request(url, {
        method,
        headers: { 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'Sigma', ...headers },
        // No connection is used twice: the next request's address is checked anew.
        agent: false,
        lookup: mayBePrivate ? lookup : checked(url),
        signal,
      });
      sent.on('response', resolve).on('error', reject);
      sent.end(body);
    });
  }

  /** Looks a name up and hands on its addresses, or refuses it when one of them is none of the public internet. */
  function checked(url: URL): LookupFunction {
    return (hostname, options, callback) =>
      lookup(hostname, { ...options, all: true }, (error, addresses) => {
        if (error) return callback(error, []);
        const [first] = addresses;
        if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
          return callback(refused(url), []);
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      });
  }
}

/** The answer as `fetch` gives it, unpacked, and cut off with a sentence where it is too long or too slow. */
function asResponse(
  message: IncomingMessage,
  url: URL,
  { maxBytes = MAX_BYTES }: OutsideRequest,
  { clock, signal }: { clock: AbortSignal; signal: AbortSignal | undefined },
): Response {
  const { statusCode: status = 500, statusMessage: statusText = '' } = message;
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headersDistinct))
    for (const one of value ?? []) headers.append(name, one);
  if (status < 200 || status > 599) throw new Error('This is no answer of HTTP.');
  const declared = Number(headers.get('content-length'));
  if (declared > maxBytes) {
    message.destroy();
    throw tooLong(url, maxBytes);
  }
  if (BODILESS.has(status)) {
    message.resume();
    return new Response(null, { status, statusText, headers });
  }
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  const unpack =
    encoding === 'br'
      ? createBrotliDecompress()
      : /^(?:x-)?gzip$|^deflate$/.test(encoding)
        ? createUnzip()
        : null;
  if (unpack) {
    headers.delete('content-encoding');
    headers.delete('content-length');
  }
  const body = async function* () {
    let bytes = 0;
    try {
      // What goes wrong with the one ends the other, and this loop.
      for await (const chunk of unpack ? pipeline(message, unpack, () => {}) : message) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) throw tooLong(url, maxBytes);
        yield new Uint8Array(chunk);
      }
    } catch (error) {
      throw signal?.aborted ? signal.reason : clock.aborted ? tooSlow(url) : asSentence(error, url);
    } finally {
      message.destroy();
    }
  };
  return new Response(ReadableStream.from(body()), { status, statusText, headers });
}

/**
 * @param base what a relative address is relative to
 * @throws EngineError for what is no address of the web
 */
function readAddress(address: string, base?: URL): URL {
  const url =
    address.length <= MAX_ADDRESS && URL.canParse(address, base?.href) ? new URL(address, base) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new EngineError(
      base
        ? `${base.host} redirects to what is no web address.`
        : 'This is no web address: it must begin with http:// or https://.',
      { retryable: false },
    );
  if (url.username || url.password)
    throw new EngineError('The address holds a name or a password, which do not belong there.', {
      retryable: false,
    });
  return url;
}

const isNamed = (url: URL, hosts: readonly string[]) =>
  hosts.some((host) => {
    const name = host.toLowerCase();
    return name === url.hostname || name === url.host || `[${name}]` === url.hostname;
  });

const refused = ({ host }: URL) =>
  new EngineError(`${host} lies in a private network, where this server does not go.`, { retryable: false });
const tooSlow = ({ host }: URL) => new EngineError(`${host} took too long to answer.`, { retryable: true });
const tooLong = ({ host }: URL, bytes: number) =>
  new EngineError(
    `${host} sends more than ${bytes >= 1_000_000 ? `${bytes / 1_000_000} MB` : `${bytes / 1_000} kB`}.`,
    { retryable: false },
  );

/** What Node.js calls a failure, as a sentence; the address's own words are in none of them. */
function asSentence(error: unknown, { host }: URL): EngineError {
  if (error instanceof EngineError) return error;
  const code = codeOf(error);
  if (code === 'ENOTFOUND')
    return new EngineError(`${host} was not found: check the address.`, { retryable: false, cause: error });
  if (/CERT|SIGNATURE|^ERR_TLS|SELF_SIGNED/.test(code))
    return new EngineError(`${host} cannot prove that it is ${host}: its certificate is wrong.`, {
      retryable: false,
      cause: error,
    });
  return new EngineError(`${host} cannot be reached.`, { retryable: true, cause: error });
}
