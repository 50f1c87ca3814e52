import { once } from 'node:events';
import { AccessToken } from 'livekit-server-sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import type { MayEnter } from '#server/engines/rooms/contract';
import { UdpPorts } from '#server/engines/rooms/embedded/media/udp-ports';
import { SignalClient } from '../../../../../tests/support/signal-client.ts';
import { DoorUnanswered } from './door.ts';
import { Rooms } from './rooms.ts';
import { SignalServer } from './signal-server.ts';
import { Tokens } from './tokens.ts';

const keys = { apiKey: 'key', apiSecret: 'a secret of more than thirty-two letters' };

/** Tokens that are verified when the test says so. */
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
let mayEnter: MayEnter;
beforeEach(async () => {
  mayEnter = async () => true;
  tokens = new HeldTokens(keys);
  rooms = new Rooms(() => {});
  udp = await UdpPorts.open({ ports: null, externalAddress: null, addresses: ['127.0.0.1'] });
  server = new SignalServer({
    rooms,
    udp,
    tokens,
    mayEnter: (...who) => mayEnter(...who),
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

/** Connects with a token that is verified at once. */
async function comes(url: string, identity: string): Promise<SignalClient> {
  return SignalClient.join({ url, ...keys }, 'sales', identity, { token: { metadata: `of ${identity}` } });
}

it('asks who may come in, and whoever is inside comes back unasked', async () => {
  tokens.release();
  const url = `ws://127.0.0.1:${await server.listen()}`;
  const asked: unknown[] = [];
  mayEnter = async (room, { identity, metadata }) => {
    asked.push([room, identity, metadata]);
    return identity === 'ann';
  };
  await comes(url, 'ann');
  await expect(comes(url, 'bob')).rejects.toThrow('401');
  expect(asked).toEqual([
    ['sales', 'ann', 'of ann'],
    ['sales', 'bob', 'of bob'],
  ]);
  mayEnter = async () => false;
  await comes(url, 'ann');
  const token = new AccessToken(keys.apiKey, keys.apiSecret, { identity: 'bob' });
  token.addGrant({ roomJoin: true, room: 'sales' });
  const validate = `${url.replace('ws', 'http')}/rtc/validate?access_token=${await token.toJwt()}`;
  expect((await fetch(validate)).status).toBe(401);
  mayEnter = async () => {
    throw new DoorUnanswered();
  };
  expect((await fetch(validate)).status).toBe(503);
  await expect(comes(url, 'bob')).rejects.toThrow('503');
  expect([...(rooms.get('sales')?.participants.keys() ?? [])]).toEqual(['ann']);
  await server.close();
});

it('renews no key of whoever may not come in any more', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  tokens.release();
  const url = `ws://127.0.0.1:${await server.listen()}`;
  const ann = await comes(url, 'ann');
  const renewals = () => ann.received.filter((message) => message.case === 'refreshToken').length;
  await vi.advanceTimersByTimeAsync(300_000);
  await expect.poll(renewals).toBe(1);
  const asked = new Promise<void>((resolve) => {
    mayEnter = async () => {
      resolve();
      return false;
    };
  });
  await vi.advanceTimersByTimeAsync(300_000);
  await asked;
  mayEnter = async () => true;
  await vi.advanceTimersByTimeAsync(300_000);
  await expect.poll(renewals).toBe(2);
  vi.useRealTimers();
  await server.close();
});
