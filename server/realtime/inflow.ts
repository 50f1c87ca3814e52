import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket as Connection } from 'node:net';
import type { Server, Socket } from 'socket.io';
import { type AppError, payloadTooLarge, rateLimited } from '#server/lib/errors';

/** Room for a sign-in and what the protocol sends around it. */
const STRANGER_BYTES = 16_000;
/** In one request of long polling. A page of ours sends what came together while its last request was under way. */
const MAX_PACKETS = 1_000;
/** Whoever is cut off may hear why for so long. */
const LAST_WORDS_MS = 1_000;

/** Counts bytes of somebody who is signed in; rejects when they have sent too much. */
export type CountBytes = (bytes: number) => Promise<void>;

/**
 * Bounds what a connection may send, before anybody makes packets of it. Before it is signed in next to nothing: a channel
 * that takes sound and long texts would else keep megabytes for whoever only connects. Afterwards what its account may. A
 * WebSocket is watched byte by byte, since it tells of a packet only when all of it is there; who goes over it is cut off.
 */
export class Inflow {
  readonly #knownBytes: number;
  /** First requests of open connections, by the connection's id: later ones, such as an upgrade, carry that. */
  readonly #first = new Map<string, IncomingMessage>();
  /** Of those who are signed in; null: nothing is counted. */
  readonly #counts = new WeakMap<IncomingMessage, CountBytes | null>();

  /** @param knownBytes what a packet may weigh once somebody is signed in */
  constructor({ engine }: Pick<Server, 'engine'>, knownBytes: number) {
    this.#knownBytes = knownBytes;
    const ids = new WeakMap<IncomingMessage, string>();
    engine.generateId = (request: IncomingMessage) => {
      const id = randomBytes(15).toString('base64url');
      ids.set(request, id);
      return id;
    };
    engine.on('connection', (connection: Socket['conn']) => {
      const id = ids.get(connection.request) ?? '';
      this.#first.set(id, connection.request);
      connection.once('close', () => this.#first.delete(id));
      Object.assign(connection.transport, { maxHttpBufferSize: STRANGER_BYTES });
    });
    engine.on('headers', (_headers: unknown, request: IncomingMessage) => {
      if (request.headers.upgrade !== undefined) this.#watchSocket(request);
    });
    engine.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
      if (request.method === 'POST') this.#watchPoll(request, response);
      next();
    });
  }

  /** From here on it may send whole messages. @param count told of all bytes that come; null: nobody counts */
  signedIn({ conn }: Pick<Socket, 'conn'>, count: CountBytes | null): void {
    this.#counts.set(conn.request, count);
    Object.assign(conn.transport, { maxHttpBufferSize: this.#knownBytes });
  }

  /** @returns undefined while nobody is signed in there */
  #countOf(request: IncomingMessage): CountBytes | null | undefined {
    const sid = new URLSearchParams(request.url?.split('?')[1]).get('sid');
    const first = sid === null ? request : this.#first.get(sid);
    return first && this.#counts.get(first);
  }

  #watchSocket(request: IncomingMessage): void {
    const { socket } = request;
    const before = socket.bytesRead;
    let seen = before;
    const onData = () => {
      const came = socket.bytesRead - seen;
      seen = socket.bytesRead;
      const count = this.#countOf(request);
      if (count === null) socket.off('data', onData);
      else if (count) count(came).catch(() => goDeaf(socket));
      else if (seen - before > STRANGER_BYTES) socket.destroy();
    };
    socket.on('data', onData);
  }

  #watchPoll(request: IncomingMessage, response: ServerResponse): void {
    let packets = 1;
    const refuse = (refusal: AppError) => {
      if (!response.headersSent)
        response
          .writeHead(refusal.status, { 'content-type': 'application/json; charset=utf-8' })
          .end(JSON.stringify(refusal.toBody()));
      // Its connection ends with it.
      request.destroy();
    };
    request.on('data', (piece: string | Buffer) => {
      for (let at = piece.indexOf(SEPARATOR); at !== -1; at = piece.indexOf(SEPARATOR, at + 1)) packets++;
      if (packets > MAX_PACKETS) refuse(payloadTooLarge('Send fewer packets at a time.'));
      const counting = this.#countOf(request)?.(Buffer.byteLength(piece));
      counting?.catch(() => refuse(rateLimited(LAST_WORDS_MS)));
    });
  }
}

/** Between packets of one request of long polling. */
const SEPARATOR = '\x1e';

/** Nobody reads what still comes, and soon nobody listens. */
function goDeaf(socket: Connection): void {
  socket.removeAllListeners('data');
  socket.resume();
  setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
}
