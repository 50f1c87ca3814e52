import { createSocket } from 'node:dgram';
import process from 'node:process';
import { gzipSync } from 'node:zlib';
import {
  AddTrackRequest,
  DisconnectReason,
  JoinRequest,
  LeaveRequest_Action,
  ParticipantInfo_State,
  RequestResponse_Reason,
  SessionDescription,
  SubscriptionPermission,
  TrackSource,
  TrackType,
  WrappedJoinRequest,
  WrappedJoinRequest_Compression,
} from '@livekit/protocol';
import { dispose } from '@livekit/rtc-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Peer, tokenFor } from '../../../../tests/support/room-peers.ts';
import { type RunningRooms, startEmbedded } from '../../../../tests/support/room-servers.ts';
import { SignalClient } from '../../../../tests/support/signal-client.ts';

const SOON = { interval: 20 };

afterAll(() => dispose());

describe('what no decent client sends', () => {
  let server: RunningRooms;
  let clients: SignalClient[];

  beforeAll(async () => {
    server = await startEmbedded();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    clients = [];
  });
  afterEach(() => {
    for (const client of clients) client.cut();
    expect(server.failures).toEqual([]);
  });

  const soon = (what: () => unknown) => expect.poll(what, SOON);
  const join = async (identity: string, options: Parameters<typeof SignalClient.join>[3] = {}) => {
    const client = await SignalClient.join(server, 'lobby', identity, options);
    clients.push(client);
    await soon(() => client.received[0]?.case).toBe('join');
    return client;
  };
  const http = () => server.url.replace('ws', 'http');

  it('ends a socket that carries something else, with a reason, and nobody else notices', async () => {
    const ann = await join('ann');
    const cases: [string, Buffer | string, number][] = [
      ['garbage', Buffer.from([0xff, 0xff, 0xff, 0xff]), 1007],
      ['text', '{"ping":1}', 1003],
      ['far too much', Buffer.alloc(2 * 1024 * 1024), 1009],
    ];
    for (const [what, data, code] of cases) {
      const eve = await join(`eve ${what}`);
      eve.sendRaw(data);
      await soon(() => eve.closed?.code).toBe(code);
    }
    expect(ann.closed).toBeNull();
  });

  it('ends a flood of messages with a reason', async () => {
    const eve = await join('eve');
    for (let n = 0; n < 2_000; n++) eve.send({ case: 'ping', value: 1n });
    await soon(() => eve.closed).toEqual({ code: 1008, reason: 'too many messages' });
  });

  it('lets a client begin anew whose descriptions make no sense', async () => {
    const nonsense = [
      '',
      'hello',
      'v=0\r\n',
      'v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n',
      `v=0\r\n${'m=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:1\r\n'.repeat(2)}`,
      `v=0\r\n${Array.from({ length: 500 }, (_, n) => `m=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:${n}\r\n`).join('')}`,
      'v=0\r\nm=teapot 9 UDP 1\r\na=mid:0\r\n',
      `v=0\r\n${'a'.repeat(600_000)}`,
    ];
    for (const [n, sdp] of nonsense.entries())
      for (const type of ['offer', 'answer'] as const) {
        const eve = await join(`eve ${type} ${n}`);
        await soon(() => eve.newest('offer')).not.toBeNull();
        eve.send({
          case: type,
          value: new SessionDescription({ type, sdp, id: eve.newest('offer')?.id ?? 1 }),
        });
        await soon(() => eve.newest('leave')?.action).toBe(LeaveRequest_Action.RECONNECT);
      }
  });

  it('refuses join requests that cannot be read, and packed ones that swell', async () => {
    const token = await tokenFor(server, { room: 'lobby' });
    const packed = (compression: WrappedJoinRequest_Compression, joinRequest: Uint8Array) =>
      Buffer.from(new WrappedJoinRequest({ compression, joinRequest }).toBinary()).toString('base64url');
    const bad = [
      '',
      '&join_request=',
      '&join_request=%00%ff',
      '&join_request=not%20base64',
      `&join_request=${packed(WrappedJoinRequest_Compression.GZIP, Buffer.from('no gzip'))}`,
      `&join_request=${packed(WrappedJoinRequest_Compression.GZIP, gzipSync(Buffer.alloc(64 * 1024 * 1024)))}`,
      `&join_request=${packed(WrappedJoinRequest_Compression.NONE, Buffer.from([0xff, 0xff]))}`,
    ];
    for (const query of bad) {
      const response = await fetch(`${http()}/rtc/v1/validate?access_token=${token}${query}`);
      expect([response.status, query.slice(0, 40)]).toEqual([400, query.slice(0, 40)]);
    }
  });

  it('sends away whoever resumes somebody else or nobody', async () => {
    const ann = await join('ann');
    const sid = ann.newest('join')?.participant?.sid ?? '';
    for (const [identity, of] of [
      ['eve', sid],
      ['ann', 'PA_nobody'],
    ] as const) {
      const eve = await SignalClient.join(server, 'lobby', identity, { query: `&reconnect=1&sid=${of}` });
      clients.push(eve);
      await soon(() => eve.newest('leave')).toMatchObject({
        action: LeaveRequest_Action.RECONNECT,
        reason: DisconnectReason.STATE_MISMATCH,
      });
    }
    expect(ann.closed).toBeNull();
  });

  it('says why something may not be published', async () => {
    const track = (cid: string) =>
      new AddTrackRequest({ cid, type: TrackType.AUDIO, source: TrackSource.MICROPHONE });
    const deaf = await join('no publisher', { grant: { canPublish: false } });
    deaf.send({ case: 'addTrack', value: track('a') });
    await soon(() => deaf.newest('requestResponse')?.reason).toBe(RequestResponse_Reason.NOT_ALLOWED);
    const greedy = await join('greedy');
    for (let n = 0; n < 40; n++) greedy.send({ case: 'addTrack', value: track(`track ${n}`) });
    await soon(() => greedy.newest('requestResponse')?.reason).toBe(RequestResponse_Reason.LIMIT_EXCEEDED);
    expect(greedy.received.filter((message) => message.case === 'trackPublished')).toHaveLength(32);
  });

  it('takes nothing that names what is not there', async () => {
    const eve = await join('eve');
    eve.send({ case: 'mute', value: { sid: 'TR_none', muted: true } as never });
    eve.send({
      case: 'subscription',
      value: { trackSids: ['TR_none'], participantTracks: [], subscribe: true } as never,
    });
    eve.send({
      case: 'subscriptionPermission',
      value: new SubscriptionPermission({ allParticipants: false }),
    });
    eve.send({ case: 'trickle', value: { candidateInit: 'no json', target: 0 } as never });
    eve.send({ case: 'ping', value: 1n });
    await soon(() => eve.newest('pong')).not.toBeNull();
    expect(eve.closed).toBeNull();
  });

  it('refuses a service call that is none, without a body, or too long', async () => {
    const token = await tokenFor(server, { roomCreate: true, roomJoin: false });
    const call = (method: string, body: string | Buffer, type = 'application/json', init: object = {}) =>
      fetch(`${http()}/twirp/livekit.RoomService/${method}`, {
        method: 'POST',
        body: Buffer.isBuffer(body) ? new Uint8Array(body) : body,
        headers: { authorization: `Bearer ${token}`, 'content-type': type },
        ...init,
      });
    expect((await call('CreateRoom', '{"name":"made by hand"}')).status).toBe(200);
    expect((await call('CreateRoom', '{')).status).toBe(400);
    expect((await call('CreateRoom', '{}')).status).toBe(400);
    expect((await call('CreateRoom', Buffer.from([0xff]), 'application/protobuf')).status).toBe(400);
    expect((await call('CreateRoom', JSON.stringify({ name: 'x'.repeat(2_000_000) }))).status).toBe(400);
    expect((await call('ListRooms', '{}')).status).toBe(401);
    expect((await call('MakeCoffee', '{}')).status).toBe(501);
    expect((await fetch(`${http()}/twirp/livekit.RoomService/CreateRoom`)).status).toBe(404);
    const foreign = await fetch(`${http()}/twirp/livekit.RoomService/ListRooms`, {
      method: 'POST',
      body: '{}',
    });
    expect([foreign.status, await foreign.json()]).toMatchObject([401, { code: 'unauthenticated' }]);
  });

  it('keeps a call going through floods of data, stray packets and broken ones', async () => {
    const [ann, bob, eve] = [
      await Peer.join(server, 'loud', 'ann'),
      await Peer.join(server, 'loud', 'bob'),
      await Peer.join(server, 'loud', 'eve'),
    ];
    await ann.hum(440);
    await soon(() => bob.hears('ann', 440)).toBeGreaterThan(0.02);
    const flood = Buffer.alloc(8_000, 1);
    await Promise.all(
      Array.from({ length: 1_500 }, (_, n) =>
        eve.me.publishData(flood, { reliable: n % 2 === 0 }).catch(() => {}),
      ),
    );
    await strayPackets();
    bob.forgetSound();
    await soon(() => bob.hears('ann', 440)).toBeGreaterThan(0.02);
    expect(bob.happened.filter((event) => /reconnecting|left/.test(event))).toEqual([]);
    await Promise.all([ann, bob, eve].map((peer) => peer.leave()));
  }, 60_000);

  /** Sends packets of other protocols to the media ports. */
  async function strayPackets(): Promise<void> {
    const spy = await join('spy');
    await soon(() => spy.newest('offer')).not.toBeNull();
    const sdp = spy.newest('offer')?.sdp ?? '';
    const port = Number(/a=candidate:\S+ 1 udp \d+ 127\.0\.0\.1 (\d+)/.exec(sdp)?.[1]);
    const fragment = /a=ice-ufrag:(\S+)/.exec(sdp)?.[1] ?? '';
    const binding = Buffer.alloc(20 + 4 + 12 + 24);
    binding.writeUInt16BE(1, 0);
    binding.writeUInt16BE(binding.length - 20, 2);
    binding.writeUInt32BE(0x2112a442, 4);
    binding.writeUInt16BE(6, 20);
    binding.writeUInt16BE(12, 22);
    binding.write(`${fragment}:x`.padEnd(12, 'x'), 24);
    binding.writeUInt16BE(8, 36);
    binding.writeUInt16BE(20, 38);
    const socket = createSocket('udp4');
    const send = (packet: Buffer) =>
      new Promise((resolve) => socket.send(packet, port, '127.0.0.1', resolve));
    for (const first of [0, 1, 20, 22, 63, 64, 128, 144, 191, 200, 255])
      for (const length of [0, 1, 11, 12, 19, 20, 60, 1_400])
        await send(Buffer.concat([Buffer.from([first]), Buffer.alloc(length, first)]));
    await send(binding);
    await send(binding.subarray(0, 30));
    socket.close();
  }

  it('frees everything of those who leave: sockets, timers, connections', async () => {
    const active = (kind: string) =>
      process.getActiveResourcesInfo().filter((resource) => resource === kind).length;
    const warmUp = await Peer.join(server, 'revolving door', 'first');
    const stay = await Peer.join(server, 'revolving door', 'stay');
    await stay.hum(440);
    await soon(() => warmUp.hears('stay', 440)).toBeGreaterThan(0.02);
    await warmUp.leave();
    await soon(() => stay.others).toEqual([]);
    const before = { udp: active('UDPWrap'), timers: active('Timeout') };
    for (let n = 0; n < 10; n++) {
      const guests = await Promise.all(
        ['a', 'b'].map((name) => Peer.join(server, 'revolving door', `${name}${n}`)),
      );
      await Promise.all(guests.map((guest) => guest.hum(1_150)));
      await Promise.all(guests.map((guest) => soon(() => guest.hears('stay', 440)).toBeGreaterThan(0.02)));
      await Promise.all(guests.map((guest) => guest.leave()));
    }
    await soon(() => stay.others).toEqual([]);
    expect(active('UDPWrap')).toBe(before.udp);
    await soon(() => active('Timeout')).toBeLessThanOrEqual(before.timers);
    await stay.leave();
  }, 60_000);

  it('gives up on whoever vanishes, 15 seconds later, and not on whoever comes back', async () => {
    // This client makes its own offers: a client that ignores the server's offers would be dropped sooner.
    const empty = new WrappedJoinRequest({
      compression: WrappedJoinRequest_Compression.GZIP,
      joinRequest: gzipSync(new JoinRequest().toBinary()),
    });
    const ann = await join('ann', {
      path: '/rtc/v1',
      query: `&join_request=${Buffer.from(empty.toBinary()).toString('base64url')}`,
    });
    const bob = await join('bob');
    const sid = bob.newest('join')?.participant?.sid ?? '';
    bob.cut();
    const back = await SignalClient.join(server, 'lobby', 'bob', { query: `&reconnect=1&sid=${sid}` });
    clients.push(back);
    await soon(() => back.received.map((message) => message.case).slice(0, 4)).toEqual([
      'reconnect',
      'update',
      'roomUpdate',
      'offer',
    ]);
    expect(back.newest('offer')?.sdp).not.toContain(
      /a=ice-ufrag:(\S+)/.exec(bob.newest('offer')?.sdp ?? '')?.[0] ?? 'no offer',
    );
    const gone = () =>
      ann.received.some(
        (message) =>
          message.case === 'update' &&
          message.value.participants.some(
            (one) => one.identity === 'bob' && one.state === ParticipantInfo_State.DISCONNECTED,
          ),
      );
    back.cut();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(gone()).toBe(false);
    await expect.poll(gone).toBe(true);
  }, 40_000);
});
