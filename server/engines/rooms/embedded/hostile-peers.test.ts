import { createSocket, type Socket } from 'node:dgram';
import { gzipSync } from 'node:zlib';
import {
  AddTrackRequest,
  JoinRequest,
  RequestResponse_Reason,
  TrackSource,
  TrackType,
  UpdateParticipantMetadata,
  UpdateSubscription,
  WrappedJoinRequest,
  WrappedJoinRequest_Compression,
} from '@livekit/protocol';
import { dispose } from '@livekit/rtc-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Peer, tokenFor } from '../../../../tests/support/room-peers.ts';
import { type RunningRooms, startEmbedded } from '../../../../tests/support/room-servers.ts';
import { SignalClient } from '../../../../tests/support/signal-client.ts';
import { type Route, UdpPorts } from './media/udp-ports.ts';
import { RoomServer } from './room-server.ts';

const SOON = { interval: 20 };

afterAll(() => dispose());

describe('a participant who costs more than others', () => {
  let server: RunningRooms;
  let clients: SignalClient[];
  let peers: Peer[];

  beforeAll(async () => {
    server = await startEmbedded();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    [clients, peers] = [[], []];
  });
  afterEach(async () => {
    for (const client of clients) client.cut();
    await Promise.all(peers.map((peer) => peer.leave()));
    expect(server.failures).toEqual([]);
  });

  const soon = (what: () => unknown) => expect.poll(what, SOON);
  const enter = async (
    room: string,
    identity: string,
    options: Parameters<typeof SignalClient.join>[3] = {},
  ) => {
    const client = await SignalClient.join(server, room, identity, options);
    clients.push(client);
    return client;
  };
  const join = async (room: string, identity: string, options: Parameters<typeof Peer.join>[3] = {}) => {
    const peer = await Peer.join(server, room, identity, options);
    peers.push(peer);
    return peer;
  };
  const validate = async (joinRequest: Partial<JoinRequest>, grant: object = {}, kind?: string) => {
    const wrapped = new WrappedJoinRequest({
      compression: WrappedJoinRequest_Compression.GZIP,
      joinRequest: gzipSync(new JoinRequest(joinRequest).toBinary()),
    });
    const token = await tokenFor(server, { room: 'door', ...grant }, kind ? { kind } : {});
    const packed = Buffer.from(wrapped.toBinary()).toString('base64url');
    const url = `${server.url.replace('ws', 'http')}/rtc/v1/validate?access_token=${token}&join_request=${packed}`;
    return { bytes: url.length, status: (await fetch(url)).status };
  };
  const track = (cid: string, name = '') =>
    new AddTrackRequest({ cid, name, type: TrackType.AUDIO, source: TrackSource.MICROPHONE });

  it('brings nothing of its own to the door that the token does not let it, and never more than fits', async () => {
    const swollen = { participantAttributes: { note: 'x'.repeat(900_000) } };
    const mayName = { canUpdateOwnMetadata: true };
    expect(await validate({ participantAttributes: { mood: 'good' } })).toMatchObject({ status: 401 });
    expect(await validate({ metadata: '{"role":"agent"}' })).toMatchObject({ status: 401 });
    const sent = await validate(swollen, mayName);
    expect([sent.status, sent.bytes < 3_000]).toEqual([400, true]);
    expect(await validate({ metadata: 'x'.repeat(70_000) }, mayName)).toMatchObject({ status: 400 });
    expect(await validate({ participantAttributes: { mood: 'good' } }, mayName)).toMatchObject({
      status: 200,
    });
    const posing = { participantAttributes: { 'lk.agent.state': 'speaking' } };
    expect(await validate(posing, mayName)).toMatchObject({ status: 400 });
    expect(await validate(posing, mayName, 'agent')).toMatchObject({ status: 200 });
  });

  it('does not become an agent by what it says of itself later', async () => {
    const ann = await enter('faces', 'ann');
    const eve = await enter('faces', 'eve', { grant: { canUpdateOwnMetadata: true } });
    const rename = (attributes: Record<string, string>) =>
      eve.send({ case: 'updateMetadata', value: new UpdateParticipantMetadata({ attributes }) });
    rename({ 'lk.agent.state': 'speaking' });
    await soon(() => eve.newest('requestResponse')?.reason).toBe(RequestResponse_Reason.LIMIT_EXCEEDED);
    rename({ mood: 'good' });
    await soon(() => ann.newest('update')?.participants[0]?.attributes).toEqual({ mood: 'good' });
  });

  it('announces no track whose name everybody would have to carry', async () => {
    const eve = await enter('tracks', 'eve');
    eve.send({ case: 'addTrack', value: track('long', 'x'.repeat(10_000)) });
    await soon(() => eve.newest('requestResponse')?.reason).toBe(RequestResponse_Reason.LIMIT_EXCEEDED);
    eve.send({ case: 'addTrack', value: track('short', 'microphone') });
    await soon(() => eve.newest('trackPublished')?.cid).toBe('short');
  });

  it('has a budget for each kind of request, in messages and in bytes, which a new socket does not fill', async () => {
    const loud = await enter('budgets', 'loud', { grant: { canUpdateOwnMetadata: true } });
    for (let n = 0; n < 12; n++)
      loud.send({
        case: 'updateMetadata',
        value: new UpdateParticipantMetadata({ metadata: `${n}`.repeat(30_000) }),
      });
    await soon(() => loud.closed).toEqual({ code: 1008, reason: 'too many messages' });

    const busy = await enter('budgets', 'busy');
    const toggle = (client: SignalClient) =>
      client.send({ case: 'mute', value: { sid: 'TR_none', muted: true } as never });
    await soon(() => busy.newest('join')).not.toBeNull();
    for (let n = 0; n < 150; n++) toggle(busy);
    await soon(() => busy.closed?.code).toBe(1008);
    const sid = busy.newest('join')?.participant?.sid ?? '';
    const back = await enter('budgets', 'busy', { query: `&reconnect=1&sid=${sid}` });
    await soon(() => back.newest('reconnect')).not.toBeNull();
    for (let n = 0; n < 90; n++) toggle(back);
    await soon(() => back.closed?.code).toBe(1008);
  });

  it('is turned away when it comes again and again', async () => {
    const statuses: string[] = [];
    for (let n = 0; n < 30; n++)
      await enter('door', 'eve').then(
        () => statuses.push('in'),
        (error: Error) => statuses.push(/\d{3}/.exec(error.message)?.[0] ?? error.message),
      );
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'in'));
    expect(statuses.at(-1)).toBe('429');
    await enter('door', 'ann');
  });

  it('makes nobody describe more sections than a description may have', async () => {
    const ann = await join('sections', 'ann');
    const sids: string[] = [];
    for (let n = 0; n < 4; n++) sids.push((await ann.hum(440)).sid ?? '');
    const eve = await enter('sections', 'eve');
    await soon(() => eve.newest('offer')).not.toBeNull();
    for (let n = 0; n < 300; n++)
      eve.send({
        case: 'subscription',
        value: new UpdateSubscription({ trackSids: sids, subscribe: n % 2 === 1 }),
      });
    eve.send({ case: 'ping', value: 1n });
    await soon(() => eve.newest('pong')).not.toBeNull();
    const sid = eve.newest('join')?.participant?.sid ?? '';
    const back = await enter('sections', 'eve', { query: `&reconnect=1&sid=${sid}` });
    await soon(() => back.newest('offer')).not.toBeNull();
    expect(back.newest('offer')?.sdp.match(/^m=/gm)?.length).toBeLessThanOrEqual(400);
  });

  it('wants only what is there', async () => {
    const keys = { apiKey: 'testing', apiSecret: 'a-secret-of-thirty-two-letters-at-least' };
    const own = await RoomServer.start({
      keys,
      port: null,
      ports: null,
      externalAddress: null,
      onEvent: () => {},
      onFailure: (error) => server.failures.push(error),
    });
    const eve = await SignalClient.join({ url: `ws://127.0.0.1:${own.port}`, ...keys }, 'wishes', 'eve');
    clients.push(eve);
    const trackSids = Array.from({ length: 5_000 }, (_, n) => `TR_none${n}`);
    eve.send({ case: 'subscription', value: new UpdateSubscription({ trackSids, subscribe: true }) });
    eve.send({ case: 'ping', value: 1n });
    await soon(() => eve.newest('pong')).not.toBeNull();
    expect(own.rooms.get('wishes')?.participants.get('eve')?.wishes.size).toBe(0);
    await own.close();
  });

  it('cannot speak under the topics that are kept for agents', async () => {
    const [ann, agent, eve] = [
      await join('topics', 'ann'),
      await join('topics', 'agent', { token: { kind: 'agent' } }),
      await join('topics', 'eve'),
    ];
    const heard: string[] = [];
    for (const topic of ['lk.transcription', 'words'])
      ann.room.registerTextStreamHandler(topic, async (reader, { identity }) => {
        heard.push(`${identity} ${topic}: ${await reader.readAll()}`);
      });
    await soon(() => ann.others).toEqual(['agent', 'eve']);
    await eve.me.sendText('read me your card number', { topic: 'lk.transcription' });
    await eve.me.publishData(Buffer.from('{}'), { reliable: true, topic: 'sigma.notice' });
    await eve.me.publishData(Buffer.from('hello'), { reliable: true, topic: 'chat' });
    await eve.me.sendText('mine', { topic: 'words' });
    await agent.me.sendText('hello', { topic: 'lk.transcription' });
    await soon(() => heard.toSorted()).toEqual(['agent lk.transcription: hello', 'eve words: mine']);
    await soon(() => ann.data.map(({ topic }) => topic)).toEqual(['chat']);
  });
});

describe('the ways to a peer', () => {
  let udp: UdpPorts;
  let sockets: Socket[];

  beforeEach(async () => {
    sockets = [];
    udp = await UdpPorts.open({ ports: null, externalAddress: null, addresses: ['127.0.0.1'] });
  });
  afterEach(async () => {
    for (const socket of sockets) socket.close();
    await udp.close();
  });

  it('are bounded: the oldest goes for one more', async () => {
    const bound: string[] = [];
    const came: string[] = [];
    udp.register('frag', {
      onBindingRequest: (_request, route: Route) => bound.push(String(route.remote.port)) > 0,
      onPacket: (_packet, route) => void came.push(String(route.remote.port)),
    });
    const port = udp.candidates[0]?.port ?? 0;
    const send = (socket: Socket, packet: Buffer) =>
      new Promise((resolve) => socket.send(packet, port, '127.0.0.1', resolve));
    for (let n = 0; n < 40; n++) {
      const socket = createSocket('udp4');
      sockets.push(socket);
      await send(socket, bindingRequest('frag:x'));
      await expect.poll(() => bound.length, SOON).toBe(n + 1);
    }
    const [first, last] = [sockets[0], sockets.at(-1)];
    if (!first || !last) throw new Error('There are sockets.');
    await send(first, Buffer.alloc(30, 128));
    await send(last, Buffer.alloc(30, 128));
    await expect.poll(() => came, SOON).toEqual([String(last.address().port)]);
  });
});

/** A binding request whose signature is not checked. @param username at most eight bytes */
function bindingRequest(username: string): Buffer {
  const packet = Buffer.alloc(20 + 4 + 8 + 24);
  packet.writeUInt16BE(1, 0);
  packet.writeUInt16BE(packet.length - 20, 2);
  packet.writeUInt32BE(0x2112a442, 4);
  packet.writeUInt16BE(6, 20);
  packet.writeUInt16BE(username.length, 22);
  packet.write(username, 24);
  packet.writeUInt16BE(8, 32);
  packet.writeUInt16BE(20, 34);
  return packet;
}
