import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { EngineError } from '#server/lib/engine-error';
import { codeOf } from '#server/lib/error-code';
import { timeLimit, untilAborted } from '#server/lib/wait';
import type { Outside, OutsideAnswer, OutsideRequest } from './contract.ts';
import { type FoundAddress, type LookUp, lookUpBySystem, lookUpOutside } from './look-up.ts';
import { isPublicAddress } from './public-address.ts';
import { TurnsByKey } from './turns-by-key.ts';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 5_000_000;
const MAX_REDIRECTS = 5;
const MAX_ADDRESS = 4_000;

/** Statuses without a body, for which Response accepts none. */
const BODILESS = new Set([204, 205, 304]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Most interim responses (1xx of RFC 9110) before the final one. */
const MAX_INTERIM = 10;
/** Names resolved at once for one account and in total: each takes a socket. */
const LOOK_UPS = { perKey: 2, atOnce: 64 };

interface SafeFetchOptions {
  lookUp?: LookUp;
  /** Resolver for hosts that may be in a private network. */
  lookUpInside?: LookUp;
}

/**
 * Fetches over connections of its own, each to the very address that was resolved and checked, so a name that
 * changes its address a moment later has no effect. One clock limits the whole request: queue, name,
 * connection, headers and body.
 */
export function createSafeFetch({
  lookUp = lookUpOutside(),
  lookUpInside = lookUpBySystem,
}: SafeFetchOptions = {}): Outside {
  const turns = new TurnsByKey(LOOK_UPS);

  return {
    async fetch(request, signal) {
      signal?.throwIfAborted();
      const clock = timeLimit(request.timeoutMs ?? TIMEOUT_MS);
      const ends = signal ? AbortSignal.any([signal, clock]) : clock;
      let url = readAddress(request.url);
      let isSent = false;
      try {
        return await untilAborted(follow(), ends);
      } catch (error) {
        signal?.throwIfAborted();
        if (clock.aborted) throw tooSlow(url, isSent ? undefined : notLookedUp());
        throw asSentence(error, url);
      }

      async function follow(): Promise<OutsideAnswer> {
        const { method = 'GET', maxRedirects = MAX_REDIRECTS } = request;
        const home = url.origin;
        for (let redirects = 0; ; redirects++) {
          const headers = url.origin === home ? request.headers : {};
          const addresses = await addressesOf(url, request, ends);
          isSent = true;
          const message = await send(url, addresses, { ...request, method, headers: headers ?? {} }, ends);
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

  /** The addresses to connect to. @throws EngineError if any of them is in a private network */
  async function addressesOf(
    url: URL,
    { account, privateHosts = [] }: OutsideRequest,
    ends: AbortSignal,
  ): Promise<FoundAddress[]> {
    const mayBePrivate = isNamed(url, privateHosts);
    const name = url.hostname.replace(/^\[|\]$/g, '');
    const family = isIP(name);
    const ask = mayBePrivate ? lookUpInside : lookUp;
    const addresses = family
      ? [{ address: name, family }]
      : await untilAborted(
          turns.run(account, () => ask(name, ends), ends),
          ends,
        );
    const mayBeAsked = mayBePrivate || addresses.every(({ address }) => isPublicAddress(address));
    if (addresses.length === 0 || !mayBeAsked) throw refused(url);
    return addresses;
  }
}

/** Resolves with the response head; anything else rejects. */
function send(
  url: URL,
  addresses: readonly FoundAddress[],
  { method = 'GET', headers = {}, body }: OutsideRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method,
      headers: { 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'Sigma', ...headers },
      // Never reuse a connection: the next request checks its address anew.
      agent: false,
      lookup: (_, { all }, callback) => {
        const [first] = addresses;
        if (all) callback(null, [...addresses]);
        else callback(null, first?.address ?? '', first?.family);
      },
      signal,
    });
    let interim = 0;
    sent.on('information', () => {
      interim++;
      if (interim === MAX_INTERIM) sent.destroy(noAnswer(url));
    });
    sent.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(noAnswer(url));
    });
    sent.on('response', resolve).on('error', reject);
    sent.on('close', () => reject(noAnswer(url)));
    sent.end(body);
  });
}

/** Wraps the message as a `Response`: unpacked, and aborted with a sentence if it is too long or too slow. */
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
    message.destroy();
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
      // A failure of either stream ends the other and this loop.
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
 * @param base for relative addresses
 * @throws EngineError if it is not an http(s) address
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
const noAnswer = ({ host }: URL) =>
  new EngineError(`${host} sends nothing that is an answer.`, { retryable: true });
const tooSlow = ({ host }: URL, cause?: Error) =>
  new EngineError(`${host} took too long to answer.`, { retryable: true, cause });
/** The error of a resolver that timed out. */
const notLookedUp = () => Object.assign(new Error('Nothing was sent.'), { code: 'EAI_AGAIN' });
const tooLong = ({ host }: URL, bytes: number) =>
  new EngineError(
    `${host} sends more than ${bytes >= 1_000_000 ? `${bytes / 1_000_000} MB` : `${bytes / 1_000} kB`}.`,
    { retryable: false },
  );

/** Node.js's error as a sentence, without quoting the address. */
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
