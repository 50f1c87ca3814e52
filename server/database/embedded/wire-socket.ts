import { Duplex } from 'node:stream';
import { createExchangeReader, welcome } from './wire-messages.ts';

/** The session interface for its socket. */
interface WireSession {
  run(exchange: Uint8Array): Promise<Uint8Array>;
  close(): void;
}

/**
 * A stand-in for `pg`'s network socket: bytes go to the embedded backend's thread, so there is no port or
 * file that another process could connect to.
 */
export class WireSocket extends Duplex {
  readonly #session: WireSession;
  readonly #reader = createExchangeReader();
  #last: Promise<void> = Promise.resolve();

  constructor(session: WireSession) {
    super({ allowHalfOpen: false });
    this.#session = session;
  }

  // The driver calls these on its socket.
  connect(): this {
    queueMicrotask(() => this.emit('connect'));
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    for (const event of this.#reader.push(chunk)) {
      if (event.kind === 'startup') {
        this.push(welcome({ server_version: '18.0', client_encoding: 'UTF8', TimeZone: 'UTC' }));
      } else if (event.kind === 'terminate') {
        this.destroy();
      } else {
        // In order: answers must follow the order of their queries.
        this.#last = this.#last.then(() => this.#exchange(event.bytes));
      }
    }
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#session.close();
    done(error);
  }

  async #exchange(bytes: Uint8Array): Promise<void> {
    if (this.destroyed) return;
    try {
      const answer = await this.#session.run(bytes);
      if (!this.destroyed) this.push(Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength));
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
