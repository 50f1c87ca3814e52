import { once } from 'node:events';
import { AccessToken } from 'livekit-server-sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import WebSocket from 'ws';
import { UdpPorts } from '#server/engines/rooms/embedded/media/udp-ports';
import { Rooms } from './rooms.ts';
import { SignalServer } from './signal-server.ts';
import { Tokens } from './tokens.ts';

const keys = { apiKey: 'key', apiSecret: 'a secret of more than thirty-two letters' };

/** Tokens that are read when the test lets them. */
class HeldTokens extends Tokens {
  #release = () => {};
  #wasAsked = () => {};
  readonly #released = new Promise<void>((resolve) => {
    this.#release = resolve;
  });
  readonly asked = new Promise<void>((resolve) => {
    this.#wasAsked = resolve;
  });

  release(): void {
    this.#release();
  }

  override async read(token: string | null | undefined): ReturnType<Tokens['read']> {
    this.#wasAsked();
    await this.#released;
    return super.read(token);
  }
}

let tokens: HeldTokens;
let rooms: Rooms;
let udp: UdpPorts;
let server: SignalServer;
beforeEach(async () => {
  tokens = new HeldTokens(keys);
  rooms = new Rooms(() => {});
  udp = await UdpPorts.open({ ports: null, externalAddress: null, addresses: ['127.0.0.1'] });
  server = new SignalServer({
    rooms,
    udp,
    tokens,
    onFailure: (error) => {
      throw error;
    },
  });
});
afterEach(() => udp.close());

async function comingIn(): Promise<WebSocket> {
  const token = new AccessToken(keys.apiKey, keys.apiSecret, { identity: 'ann' });
  token.addGrant({ roomJoin: true, room: 'sales' });
  const port = await server.listen();
  return new WebSocket(`ws://127.0.0.1:${port}/rtc?access_token=${await token.toJwt()}`);
}

it('lets nobody into a room of a server that closes meanwhile', async () => {
  const socket = await comingIn();
  const refused = once(socket, 'unexpected-response');
  socket.on('error', () => {});
  await tokens.asked;
  const closed = server.close();
  tokens.release();
  const [, response] = await refused;
  expect(response.statusCode).toBe(503);
  await closed;
  expect(rooms.list()).toEqual([]);
});

it('closes without whoever never finishes coming in', async () => {
  const socket = await comingIn();
  const failed = once(socket, 'error');
  await tokens.asked;
  await server.close();
  const [error] = await failed;
  expect(error.message).toBe('socket hang up');
  tokens.release();
});
