import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { crc32 } from 'node:zlib';
import { drawFrom } from './mutate.ts';

/** A loaded machine is slow, not wrong: this only ends what would never end. */
const FOR_EVER_MS = 60_000;
/** What a server does without a disk or a clock is done within so many turns of the event loop, mostly. */
const TURNS = 50;

/** The server's end of a connection that no network carries. */
export class MemoryConnection extends Duplex {
  /** What a server asks of a socket. */
  readonly remoteAddress = '127.0.0.1';
  bytesRead = 0;
  bytesWritten = 0;
  /** All that the server has said, a byte a character. */
  said = '';

  constructor() {
    super({ allowHalfOpen: true });
    // A connection that breaks off is no failure here.
    this.on('error', () => {});
  }

  /** Has the server read bytes. */
  send(bytes: Buffer): void {
    if (this.destroyed) return;
    this.bytesRead += bytes.length;
    this.push(bytes);
  }

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.bytesWritten += bytes.length;
    this.said += bytes.toString('latin1');
    done();
  }
}

/** Talks to an HTTP server that need not listen: what TCP costs, and what it does to bytes, is left out. */
export class MemoryClient {
  readonly #server: Server;
  readonly #underWay = new WeakMap<object, Set<IncomingMessage>>();

  /** Made when all that listens to the server does: some take the listeners of others away. */
  constructor(server: Server) {
    this.#server = server;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const requests = this.#underWay.get(request.socket);
      requests?.add(request);
      response.once('close', () => requests?.delete(request));
    });
  }

  connect(): MemoryConnection {
    const connection = new MemoryConnection();
    this.#underWay.set(connection, new Set());
    this.#server.emit('connection', connection);
    return connection;
  }

  /**
   * Sends pieces, each as the server would read it from the network, and hangs up when it waits for more or has ended.
   * @returns what it said
   * @throws when it leaves a whole request unanswered
   */
  async exchange(pieces: readonly Buffer[]): Promise<string> {
    const connection = this.connect();
    for (const piece of pieces) connection.send(piece);
    await this.answered(connection);
    await this.hangUp(connection);
    return connection.said;
  }

  /** Waits until the server has ended its side, or has read everything and answered every request that is whole. */
  async answered(connection: MemoryConnection): Promise<void> {
    const requests = this.#underWay.get(connection);
    // It begins to read in the first turn, and is asked before it answers in the second.
    for (let turns = 0; turns < 3; turns++) await turn();
    await until(
      () =>
        connection.writableEnded ||
        connection.destroyed ||
        (connection.readableLength === 0 && ![...(requests ?? [])].some(({ complete }) => complete)),
    );
  }

  async hangUp(connection: MemoryConnection): Promise<void> {
    if (!connection.destroyed) connection.push(null);
    for (let turns = 0; turns < 5 && !connection.destroyed; turns++) await turn();
    // Nobody reads the end of an upgrade that was not taken.
    connection.destroy();
    await until(() => connection.closed);
    await turn();
  }
}

/** Waits a few turns of the event loop, then by the clock. @throws when it never comes */
export async function until(isSo: () => boolean): Promise<void> {
  const since = Date.now();
  for (let turns = 0; !isSo(); turns++)
    if (turns < TURNS) await turn();
    else if (Date.now() - since > FOR_EVER_MS) throw new Error('This never ends.');
    else await new Promise<void>((resolve) => setTimeout(resolve, 1));
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Bytes as a network may bring them: whole, or divided anywhere; always the same for the same bytes. */
export function piecesOf(bytes: Buffer): Buffer[] {
  const draw = drawFrom(crc32(bytes));
  const cuts = Array.from({ length: draw(2) ? draw(2 ** draw(6)) : 0 }, () => draw(bytes.length + 1));
  const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
  return places
    .map((place, n) => bytes.subarray(place, places[n + 1] ?? bytes.length))
    .filter((piece) => piece.length > 0);
}

/** What a server said. @throws when there is an answer of 500 or more in it */
export function withoutFailures(said: string): string {
  for (const [, status] of said.matchAll(/^HTTP\/1\.1 (\d{3}) /gm))
    if (Number(status) >= 500) throw new Error(`It is answered ${said.slice(0, 300)}`);
  return said;
}
