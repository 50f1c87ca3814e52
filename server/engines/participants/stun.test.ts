import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ICEServer, SignalResponse } from '@livekit/protocol';
import { afterEach, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { tokenFor } from '../../../tests/support/room-peers.ts';
import { startEmbedded } from '../../../tests/support/room-servers.ts';
import { Attendance } from './attendance.ts';
import type { PresenceListener } from './contract.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const nobody: PresenceListener = {
  memberJoined() {},
  memberLeft() {},
  microphoneOpened() {},
  microphoneClosed() {},
  sound() {},
  audible() {},
  speechBegan() {},
  speechPlayed() {},
  speechEnded() {},
  ended() {},
};

/** A STUN server that never answers, and counts requests. */
async function aStunServer(): Promise<{ url: string; asked: () => number }> {
  const socket: Socket = createSocket('udp4');
  let count = 0;
  socket.on('message', () => count++);
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  closers.push(() => socket.close());
  return { url: `stun:127.0.0.1:${socket.address().port}`, asked: () => count };
}

/** A room server that names STUN servers to participants, as LiveKit does. */
async function roomsThatName(stunUrl: string) {
  const server = await startEmbedded();
  closers.push(() => server.stop());
  const front = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(front, 'listening');
  closers.push(() => {
    for (const client of front.clients) client.terminate();
    return new Promise((resolve) => front.close(resolve));
  });
  front.on('connection', (client, request) => {
    const onward = new WebSocket(`${server.url}${request.url}`, {
      headers: { authorization: request.headers.authorization ?? '' },
    });
    const early: Buffer[] = [];
    onward.on('open', () => {
      for (const message of early) onward.send(message);
    });
    client.on('message', (data: Buffer) =>
      onward.readyState === WebSocket.OPEN ? onward.send(data) : early.push(data),
    );
    onward.on('message', (data: Buffer) => {
      const response = SignalResponse.fromBinary(data);
      if (response.message.case === 'join')
        response.message.value.iceServers = [new ICEServer({ urls: [stunUrl] })];
      client.send(response.toBinary());
    });
    for (const [one, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      one.on('close', () => other.close());
      one.on('error', () => other.terminate());
    }
  });
  return { ...server, url: `ws://127.0.0.1:${(front.address() as AddressInfo).port}` };
}

it.each([
  ['those of the room server, unless it is told otherwise', null, 'named'],
  ['those it is told', 'settled', 'settled'],
  ['none where none may be asked', 'none', 'none'],
] as const)('asks of STUN servers %s', async (_which, told, expected) => {
  const [named, settled] = [await aStunServer(), await aStunServer()];
  const server = await roomsThatName(named.url);
  const stunServers = told === 'settled' ? [settled.url] : told === 'none' ? [] : null;
  const attendance = new Attendance(nobody);
  closers.push(() => attendance.leave());
  const token = await tokenFor(server, { room: 'kitchen' }, { identity: 'agent-a', kind: 'agent' });
  await attendance.join(server.url, token, stunServers);
  const heard = () => [named.asked() > 0 && 'named', settled.asked() > 0 && 'settled'].filter(Boolean);
  if (expected === 'none') {
    // By the time media flows, any STUN request has been sent: see above.
    await expect.poll(() => server.events.some(({ type }) => type === 'track_published')).toBe(true);
    expect(heard()).toEqual([]);
  } else await expect.poll(heard).toEqual([expected]);
});
