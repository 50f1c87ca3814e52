import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { Arrivals } from './arrivals.ts';
import { DoorUnanswered } from './door.ts';
import { arrivingFace, BadJoinRequest, readArrival } from './join-request.ts';
import { MAX_NAME_CHARACTERS } from './limits.ts';
import type { SignalSocket } from './participant.ts';
import { RoomService, ServiceError } from './room-service.ts';
import { type Admission, openSession, type SessionOptions } from './session.ts';
import { Unauthorized } from './tokens.ts';

/** Descriptions of a large room are the longest messages. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
const MAX_BODY_BYTES = 1024 * 1024;
/** The address may contain a description. */
const MAX_HEADER_BYTES = 256 * 1024;
/** A client that does not read loses its socket, and may resume on another. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;
/** Time for the last messages to arrive. */
const CLOSE_MS = 2_000;
const SERVICE = '/twirp/livekit.RoomService/';

class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Claims = Admission['claims'];

/** The TCP side of the room server: `/rtc` and `/rtc/v1` for clients, the RoomService for administrators. */
export class SignalServer {
  readonly #options: SessionOptions;
  readonly #service: RoomService;
  readonly #server: Server;
  readonly #arrivals = new Arrivals();
  /** Connections whose admission is still being decided. */
  readonly #arriving = new Set<Duplex>();
  #isClosing = false;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#service = new RoomService(options.rooms);
    this.#server = createServer(
      { maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: 30_000, headersTimeout: 15_000 },
      (request, response) => void this.#answer(request, response),
    );
    this.#server.on('upgrade', (request, socket, head) => void this.#upgrade(request, socket, head));
  }

  /** @returns its port, on loopback only */
  async listen(port = 0): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    const address: AddressInfo | string | null = this.#server.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  /** Refuses connections that are still being admitted, since the server is about to stop. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets.clients) socket.close(1001, 'the server is closing');
    const cut = setTimeout(() => {
      for (const socket of this.#sockets.clients) socket.terminate();
      for (const socket of this.#arriving) socket.destroy();
      this.#server.closeAllConnections();
    }, CLOSE_MS);
    this.#server.closeIdleConnections();
    await closed;
    clearTimeout(cut);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', '*');
    try {
      const url = addressOf(request);
      if (request.method === 'OPTIONS') {
        response.setHeader('access-control-allow-headers', '*');
        response.setHeader('access-control-allow-methods', 'GET, POST');
        response.writeHead(204).end();
      } else if (/^\/rtc(?:\/v1)?\/validate$/.test(url.pathname)) {
        await this.#askAtTheDoor(await this.#admit(request, url));
        response.end('success');
      } else if (url.pathname.startsWith(SERVICE)) {
        await this.#serve(request, response, url.pathname.slice(SERVICE.length));
      } else throw new HttpError(404, 'not found');
    } catch (error) {
      // Do not wait for the rest of a body that was too long.
      if (!request.complete) response.setHeader('connection', 'close');
      this.#refuse(response, error);
    }
  }

  #refuse(response: ServerResponse, error: unknown): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (error instanceof ServiceError) {
      response.writeHead(error.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ code: error.code, msg: error.message }));
      return;
    }
    const { status, text } = this.#refusal(error);
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
  }

  #refusal(error: unknown): { status: number; text: string } {
    if (error instanceof Unauthorized) return { status: 401, text: error.message };
    if (error instanceof BadJoinRequest) return { status: 400, text: error.message };
    if (error instanceof DoorUnanswered)
      return { status: 503, text: 'nobody can say now who may come in; try again in a moment' };
    if (error instanceof HttpError) return { status: error.status, text: error.message };
    this.#options.onFailure(error);
    return { status: 500, text: 'internal error' };
  }

  /** Verifies the token from the address or a header. */
  #claims(request: IncomingMessage, url: URL): Promise<Claims> {
    const header = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    return this.#options.tokens.read(header ?? url.searchParams.get('access_token'));
  }

  /** Decides who may enter, and how. */
  async #admit(request: IncomingMessage, url: URL): Promise<Admission> {
    const claims = await this.#claims(request, url);
    if (!claims.video.roomJoin) throw new Unauthorized('permissions denied');
    const room = claims.video.room ?? '';
    if (!room) throw new HttpError(400, 'no room name');
    if (!claims.sub) throw new HttpError(400, 'identity cannot be empty');
    if (room.length > MAX_NAME_CHARACTERS || claims.sub.length > MAX_NAME_CHARACTERS)
      throw new HttpError(400, 'the name of the room or of the participant is too long');
    if (this.#options.rooms.isExpelled(room, claims.sub, claims.nbf ?? 0))
      throw new Unauthorized('removed from this room');
    // The token determines the room; a room in the address must match it.
    const named = url.searchParams.get('room');
    if (named && named !== room) throw new Unauthorized('the token is for another room');
    const arrival = readArrival(url);
    return { claims, face: arrivingFace(claims, arrival), arrival };
  }

  /** A token was valid when it was issued: asks again whether it still is, unless its owner is inside. */
  async #askAtTheDoor({ claims, face }: Admission): Promise<void> {
    const { rooms, mayEnter } = this.#options;
    const [room, identity] = [claims.video.room ?? '', claims.sub ?? ''];
    if (rooms.get(room)?.participants.has(identity)) return;
    if (!(await mayEnter(room, { identity, metadata: face.metadata })))
      throw new Unauthorized('this room is not open to you any more: ask to be let in again');
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const gone = () => socket.destroy();
    socket.on('error', gone);
    this.#arriving.add(socket);
    try {
      const url = addressOf(request);
      if (!/^\/rtc(?:\/v1)?\/?$/.test(url.pathname)) throw new HttpError(404, 'not found');
      const admission = await this.#admit(request, url);
      const { video, sub } = admission.claims;
      if (!this.#arrivals.take(video.room ?? '', sub ?? ''))
        throw new HttpError(429, 'too many attempts; try again in a moment');
      await this.#askAtTheDoor(admission);
      await this.#options.udp.refresh();
      if (this.#isClosing) throw new HttpError(503, 'the server is closing');
      socket.off('error', gone);
      this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#connect(opened, admission));
    } catch (error) {
      const { status, text } = this.#refusal(error);
      socket.end(
        `HTTP/1.1 ${status} Refused\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
        // Do not wait for peers that never close.
        () => socket.destroy(),
      );
    } finally {
      this.#arriving.delete(socket);
    }
  }

  #connect(opened: WebSocket, admission: Admission): void {
    opened.on('error', () => opened.terminate());
    const session = openSession(toSignalSocket(opened), admission, this.#options);
    if (!session) return;
    opened.on('message', (data, isBinary) => {
      if (!isBinary || !Buffer.isBuffer(data)) opened.close(1003, 'binary messages only');
      else session.onMessage(data);
    });
    opened.on('close', () => session.onClose());
  }

  async #serve(request: IncomingMessage, response: ServerResponse, method: string): Promise<void> {
    if (request.method !== 'POST') throw new ServiceError('bad_route', 'only POST is allowed');
    let claims: Claims;
    try {
      claims = await this.#claims(request, addressOf(request));
    } catch (error) {
      if (error instanceof Unauthorized) throw new ServiceError('unauthenticated', error.message);
      throw error;
    }
    const isBinary = request.headers['content-type']?.startsWith('application/protobuf') ?? false;
    const body = await readBody(request);
    const answer = this.#service.call(method, claims.video, (type) => {
      try {
        return isBinary
          ? type.fromBinary(body)
          : type.fromJsonString(body.toString() || '{}', { ignoreUnknownFields: true });
      } catch {
        throw new ServiceError('malformed', 'the request cannot be read');
      }
    });
    response.setHeader('content-type', isBinary ? 'application/protobuf' : 'application/json');
    response.end(isBinary ? answer.toBinary() : answer.toJsonString({ emitDefaultValues: true }));
  }
}

/** Closes cleanly, and forcibly if the other side does not answer. */
function toSignalSocket(socket: WebSocket): SignalSocket {
  let isClosing = false;
  return {
    send(bytes) {
      if (isClosing || socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
      else socket.send(bytes);
    },
    close(code, reason) {
      if (isClosing || socket.readyState === socket.CLOSED) return;
      isClosing = true;
      socket.close(code, reason);
      const cut = setTimeout(() => socket.terminate(), CLOSE_MS);
      socket.once('close', () => clearTimeout(cut));
    },
  };
}

function addressOf(request: IncomingMessage): URL {
  try {
    return new URL(request.url ?? '/', 'http://room-server');
  } catch {
    throw new HttpError(400, 'this is no address');
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) continue;
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) throw new ServiceError('invalid_argument', 'the request is too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
