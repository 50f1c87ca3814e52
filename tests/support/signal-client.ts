import { once } from 'node:events';
import { SignalRequest, SignalResponse } from '@livekit/protocol';
import type { AccessTokenOptions } from 'livekit-server-sdk';
import { WebSocket } from 'ws';
import { tokenFor } from './room-peers.ts';
import type { RunningRooms } from './room-servers.ts';

type Response = SignalResponse['message'];
type Values = { [M in Response as M extends { case: string } ? M['case'] : never]: M['value'] };

/** Speaks LiveKit's signalling directly, to do what no proper client does. */
export class SignalClient {
  readonly received: Response[] = [];
  readonly #newest: Partial<Values> = {};
  readonly #socket: WebSocket;
  #closed: { code: number; reason: string } | null = null;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      if (!Buffer.isBuffer(data)) return;
      const { message } = SignalResponse.fromBinary(data);
      this.received.push(message);
      if (message.case) Object.assign(this.#newest, { [message.case]: message.value });
    });
    socket.on('close', (code, reason) => {
      this.#closed = { code, reason: reason.toString() };
    });
    socket.on('error', () => {});
  }

  static async join(
    server: Pick<RunningRooms, 'url' | 'apiKey' | 'apiSecret'>,
    room: string,
    identity: string,
    options: { path?: string; grant?: object; token?: AccessTokenOptions; query?: string } = {},
  ): Promise<SignalClient> {
    const token = await tokenFor(server, { room, ...options.grant }, { identity, ...options.token });
    return SignalClient.with(server.url, token, options);
  }

  static async with(
    server: string,
    token: string,
    options: { path?: string; query?: string } = {},
  ): Promise<SignalClient> {
    const url = `${server}${options.path ?? '/rtc'}?access_token=${token}${options.query ?? ''}`;
    const client = new SignalClient(new WebSocket(url));
    await once(client.#socket, 'open');
    return client;
  }

  send(message: SignalRequest['message']): void {
    this.#socket.send(new SignalRequest({ message }).toBinary());
  }

  sendRaw(data: Buffer | string): void {
    this.#socket.send(data);
  }

  /** The newest message of a kind; null if none. */
  newest<C extends keyof Values>(kind: C): Values[C] | null {
    return this.#newest[kind] ?? null;
  }

  /** How the server closed the socket; null while it is open. */
  get closed(): { code: number; reason: string } | null {
    return this.#closed;
  }

  /** Drops the connection without notice. */
  cut(): void {
    this.#socket.terminate();
  }
}
