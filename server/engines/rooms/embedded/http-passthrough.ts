import {
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The room server's own paths; all others belong to the product. */
const isForRooms = (url = '') =>
  /^\/(?:rtc(?:\/v1)?(?:\/validate|\/)?|twirp\/livekit\.RoomService\/\w+)(?:\?|$)/.test(url);
const CONNECT_MS = 5_000;

/**
 * Lets the room server share an HTTP server's port: requests and upgrades of its paths are passed to it
 * unchanged, and no other listener sees them.
 * @param port the room server's current port on 127.0.0.1; null while it has none
 * @param isAllowedOrigin whether a page of this origin may connect; programs send no origin
 * @param headers sent with every refused upgrade
 * @returns undoes it and ends open connections
 */
export function passThrough(
  server: HttpServer,
  port: () => number | null,
  isAllowedOrigin: (origin: string, host: string | undefined) => boolean,
  headers: Readonly<Record<string, string>> = {},
): () => void {
  const lines = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const isForeign = ({ headers: { origin, host } }: IncomingMessage) =>
    origin !== undefined && !isAllowedOrigin(origin, host);
  const sockets = new Set<Duplex>();
  const others = { request: server.listeners('request'), upgrade: server.listeners('upgrade') };

  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    if (isForRooms(request.url)) {
      if (isForeign(request))
        response.writeHead(403, { 'content-type': 'text/plain', connection: 'close' }).end(FOREIGN);
      else passRequest(request, response, port());
    } else for (const listener of others.request) Reflect.apply(listener, server, [request, response]);
  };
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isForRooms(request.url)) {
      if (isForeign(request)) refuse(socket, '403 Forbidden', lines);
      else passUpgrade(request, socket, head, port(), sockets, lines);
    } else if (others.upgrade.length === 0) refuse(socket, '404 Not Found', lines);
    else for (const listener of others.upgrade) Reflect.apply(listener, server, [request, socket, head]);
  };

  // The product's channel closes every unknown upgrade that is not answered within a second.
  for (const event of ['request', 'upgrade'] as const) server.removeAllListeners(event);
  server.on('request', onRequest);
  server.on('upgrade', onUpgrade);
  return () => {
    server.off('request', onRequest);
    server.off('upgrade', onUpgrade);
    for (const event of ['request', 'upgrade'] as const)
      for (const listener of others[event])
        server.on(event, (...args: unknown[]) => Reflect.apply(listener, server, args));
    for (const socket of sockets) socket.destroy();
  };
}

function passRequest(request: IncomingMessage, response: ServerResponse, port: number | null): void {
  const refuse = () => {
    if (response.headersSent) response.destroy();
    else
      response
        .writeHead(503, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '2' })
        .end('Voice rooms are not ready.');
  };
  if (port === null) {
    refuse();
    return;
  }
  const onward = send(
    {
      host: '127.0.0.1',
      port,
      method: request.method,
      path: request.url,
      headers: { ...request.headers, ...forwarded(request) },
      agent: false,
      timeout: CONNECT_MS * 6,
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    },
  );
  onward.on('timeout', () => onward.destroy());
  onward.on('error', refuse);
  response.on('close', () => onward.destroy());
  request.on('error', () => onward.destroy());
  request.pipe(onward);
}

function passUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  port: number | null,
  sockets: Set<Duplex>,
  refusedWith: string,
): void {
  socket.on('error', () => socket.destroy());
  if (port === null) {
    refuse(socket, NOT_READY, refusedWith);
    return;
  }
  const onward: Socket = connect({ host: '127.0.0.1', port, noDelay: true });
  let isConnected = false;
  const giveUp = setTimeout(() => onward.destroy(), CONNECT_MS);
  onward.on('connect', () => {
    clearTimeout(giveUp);
    isConnected = true;
    onward.write(requestHead(request));
    if (head.length > 0) onward.write(head);
    onward.once('data', (first: Buffer) => {
      socket.write(withLines(first, refusedWith));
      onward.pipe(socket);
    });
    socket.pipe(onward);
  });
  onward.on('error', () => onward.destroy());
  onward.on('close', () => {
    clearTimeout(giveUp);
    sockets.delete(socket);
    if (isConnected) socket.destroy();
    else refuse(socket, NOT_READY, refusedWith);
  });
  socket.on('close', () => {
    sockets.delete(socket);
    onward.destroy();
  });
  sockets.add(socket);
}

const FOREIGN = 'Pages of another origin may not call the rooms of this server.';
const NOT_READY = '503 Service Unavailable\r\nRetry-After: 2';

/**
 * @param answer the status line, optionally with header lines @param lines further header lines, each with
 * its line end
 */
function refuse(socket: Duplex, answer: string, lines: string): void {
  // Do not wait for peers that never close.
  socket.end(`HTTP/1.1 ${answer}\r\n${lines}Content-Length: 0\r\nConnection: close\r\n\r\n`, () =>
    socket.destroy(),
  );
}

/** The first bytes of an answer, with header lines added after the status unless it accepts the upgrade. */
function withLines(first: Buffer, lines: string): Buffer {
  const status = first.indexOf('\r\n') + 2;
  if (status < 2 || /^HTTP\/1\.1 101 /.test(first.toString('latin1', 0, status))) return first;
  return Buffer.concat([first.subarray(0, status), Buffer.from(lines), first.subarray(status)]);
}

/** The request's head as received, with forwarding headers. */
function requestHead(request: IncomingMessage): string {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  const { rawHeaders } = request;
  for (let n = 0; n + 1 < rawHeaders.length; n += 2)
    if (!/^x-forwarded-/i.test(rawHeaders[n] ?? '')) lines.push(`${rawHeaders[n]}: ${rawHeaders[n + 1]}`);
  for (const [name, value] of Object.entries(forwarded(request))) lines.push(`${name}: ${value}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/**
 * Forwarding headers of a proxy: the addresses that the request came through, and the scheme of the first
 * hop.
 */
function forwarded(request: IncomingMessage): Record<string, string> {
  const before = request.headers['x-forwarded-for'];
  const proto = request.headers['x-forwarded-proto'];
  return {
    'x-forwarded-for': [before, request.socket.remoteAddress].flat().filter(Boolean).join(', '),
    'x-forwarded-proto': typeof proto === 'string' ? proto : 'encrypted' in request.socket ? 'https' : 'http',
  };
}
