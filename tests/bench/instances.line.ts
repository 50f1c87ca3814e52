import { setTimeout as pause } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { z } from 'zod';
import { register } from './turn-latency.ts';

export interface Line {
  socket: Socket;
  lost: Promise<null>;
}

interface LineOptions {
  urls: readonly string[];
  /** Index of their first instance. */
  at: number;
  /** Whether replies are spoken, and come sentence by sentence. */
  voice: boolean;
  /** How long a client waits before its first or a later attempt to reconnect. */
  againMs(attempt: number): number;
  /** A socket was created, before any event. */
  opened?(socket: Socket): void;
}

/** As on the page. */
const ACK_TIMEOUT_MS = 10_000;
const startedSchema = z.object({ ok: z.literal(true), conversationId: z.string() });

/** A conversation at one of several instances, which continues at another one, as a proxy would route it. */
export class InstanceLine {
  timesMoved = 0;
  readonly #options: LineOptions;
  readonly #token: string;
  readonly #userId: string;
  #conversationId: string | undefined;
  #at: number;
  #line: Line | null = null;
  #reaching: Promise<Line> | null = null;
  #hasLeft = false;

  private constructor(options: LineOptions, account: { token: string; userId: string }) {
    this.#options = options;
    this.#at = options.at;
    this.#token = account.token;
    this.#userId = account.userId;
  }

  /** Registers a user and starts their conversation with the demo agent. */
  static async open(options: LineOptions): Promise<InstanceLine> {
    const { token, user } = await register(options.urls[options.at] ?? '');
    const line = new InstanceLine(options, { token, userId: user._id });
    await line.reach();
    return line;
  }

  get conversationId(): string {
    return this.#conversationId ?? '';
  }

  /** The current connection, or a new one; like a page, it also reconnects as soon as one is lost. */
  reach(): Promise<Line> {
    if (this.#line?.socket.connected) return Promise.resolve(this.#line);
    this.#reaching ??= this.#search().finally(() => {
      this.#reaching = null;
    });
    return this.#reaching;
  }

  leave(): void {
    this.#hasLeft = true;
    this.#line?.socket.disconnect();
  }

  /** Requests by HTTP at the current instance. @param path under /api */
  async get(path: string): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.#token}` };
    return (await fetch(`${this.#url}/api${path}`, { headers })).json();
  }

  get #url(): string {
    return this.#options.urls[this.#at] ?? '';
  }

  async #search(): Promise<Line> {
    const { urls, againMs } = this.#options;
    for (let attempt = 0; !this.#hasLeft; attempt++) {
      if (this.#line) await pause(againMs(attempt));
      for (let tries = 0; tries < urls.length && !this.#hasLeft; tries++) {
        const line = await this.#connect().catch(() => null);
        if (line) {
          this.#line = line;
          line.lost.then(() => this.reach()).catch(() => {});
          return line;
        }
        this.#at = (this.#at + 1) % urls.length;
        this.timesMoved++;
      }
    }
    throw new Error('They have left.');
  }

  async #connect(): Promise<Line> {
    const { voice, opened } = this.#options;
    // A proxy routes nobody to an instance that is not ready.
    const { status } = await fetch(`${this.#url}/ready${voice ? '' : '?for=text'}`);
    if (status !== 200) throw new Error('It is not ready.');
    const socket = io(this.#url, {
      auth: { token: this.#token, streaming: voice },
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
    });
    opened?.(socket);
    const lost = new Promise<null>((resolve) => {
      socket.once('disconnect', () => resolve(null));
    });
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve);
        socket.once('connect_error', reject);
        socket.io.once('close', reject);
      });
      const start = { userId: this.#userId, conversationId: this.#conversationId, voice };
      const started = await socket.timeout(ACK_TIMEOUT_MS).emitWithAck('start_conversation', start);
      this.#conversationId = startedSchema.parse(started).conversationId;
      return { socket, lost };
    } catch (error) {
      socket.disconnect();
      throw error;
    }
  }
}
