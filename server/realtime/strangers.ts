import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Server, Socket } from 'socket.io';

/** Room for a sign-in and what the protocol sends around it. */
const STRANGER_BYTES = 16_000;

/**
 * Bounds what a connection may send before it is signed in: a channel that takes sound and long texts would else keep
 * megabytes for whoever only connects. Long polling counts each request, a WebSocket all that came: who goes over it is
 * cut off.
 */
export class Strangers {
  readonly #knownBytes: number;
  /** First requests of open connections, by the connection's id: later ones, such as an upgrade, carry that. */
  readonly #first = new Map<string, IncomingMessage>();
  readonly #signedIn = new WeakSet<IncomingMessage>();

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
      if (request.headers.upgrade !== undefined) this.#watch(request);
    });
  }

  /** From here on it may send whole messages. */
  signedIn({ conn }: Pick<Socket, 'conn'>): void {
    this.#signedIn.add(conn.request);
    Object.assign(conn.transport, { maxHttpBufferSize: this.#knownBytes });
  }

  /** Counts the bytes as they come: the WebSocket itself tells of a packet only when all of it is there. */
  #watch(request: IncomingMessage): void {
    const { socket } = request;
    const before = socket.bytesRead;
    const sid = new URLSearchParams(request.url?.split('?')[1]).get('sid');
    const onData = () => {
      const first = sid === null ? request : this.#first.get(sid);
      if (first && this.#signedIn.has(first)) socket.off('data', onData);
      else if (socket.bytesRead - before > STRANGER_BYTES) socket.destroy();
    };
    socket.on('data', onData);
  }
}
