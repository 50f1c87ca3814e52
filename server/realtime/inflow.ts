import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket as Connection } from 'node:net';
import type { Server, Socket } from 'socket.io';
import { type AppError, payloadTooLarge, rateLimited } from '#server/lib/errors';

/** Enough for a sign-in and its protocol overhead. */
const STRANGER_BYTES = 16_000;
/** Packets in one long-polling request. Our page sends what it collected during the last request. */
const MAX_PACKETS = 1_000;
/** Time for a rejected connection to receive the reason. */
const LAST_WORDS_MS = 1_000;

/** Counts the bytes of a signed-in user; rejects when they have sent too much. */
export type CountBytes = (bytes: number) => Promise<void>;

/**
 * Limits what a connection may send, before it is parsed. Before sign-in almost nothing: otherwise a channel
 * for sound and long texts would buffer megabytes for anonymous connections. Afterwards by account. A
 * WebSocket is watched byte by byte, since it reports a packet only when complete; a connection beyond its
 * limit is cut off.
 */
export class Inflow {
  readonly #knownBytes: number;
  /** First requests of open connections by connection id, which later requests, such as an upgrade, carry. */
  readonly #first = new Map<string, IncomingMessage>();
  /** Counters of signed-in connections; null: nothing is counted. */
  readonly #counts = new WeakMap<IncomingMessage, CountBytes | null>();

  /** @param knownBytes largest packet after sign-in */
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

  /**
   * Allows whole messages from now on. @param count called with all received bytes; null: nothing is counted
   */
  signedIn({ conn }: Pick<Socket, 'conn'>, count: CountBytes | null): void {
    this.#counts.set(conn.request, count);
    Object.assign(conn.transport, { maxHttpBufferSize: this.#knownBytes });
  }

  /** @returns undefined before sign-in */
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
      // This ends its connection.
      request.destroy();
    };
    request.on('data', (piece: string | Buffer) => {
      for (let at = piece.indexOf(SEPARATOR); at !== -1; at = piece.indexOf(SEPARATOR, at + 1)) packets++;
      if (packets > MAX_PACKETS) refuse(payloadTooLarge('common.too-many-packets'));
      const counting = this.#countOf(request)?.(Buffer.byteLength(piece));
      counting?.catch(() => refuse(rateLimited(LAST_WORDS_MS)));
    });
  }
}

/** Separator of packets in one long-polling request. */
const SEPARATOR = '\x1e';

/** Discards further input until the connection closes. */
function goDeaf(socket: Connection): void {
  socket.removeAllListeners('data');
  socket.resume();
  setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
}
