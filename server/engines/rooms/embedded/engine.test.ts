import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dispose } from '@livekit/rtc-node';
import { RoomServiceClient, TokenVerifier } from 'livekit-server-sdk';
import { Server as SocketServer } from 'socket.io';
import { io } from 'socket.io-client';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Peer, tokenFor } from '../../../../tests/support/room-peers.ts';
import type { RoomEvent, RoomsEngine } from '../contract.ts';
import { createEmbeddedRooms } from './engine.ts';

const SOON = { interval: 50 };
const quiet = { warn: () => {}, error: () => {} };

afterAll(() => dispose());

describe('the embedded rooms engine', () => {
  let dataDir: string;
  let rooms: RoomsEngine;
  let events: RoomEvent[];
  let web: HttpServer;
  let detach: (() => void) | undefined;
  let port: number;
  let peers: Peer[];

  const createEngine = (options: Partial<Parameters<typeof createEmbeddedRooms>[0]> = {}) =>
    createEmbeddedRooms({
      dataDir,
      keys: null,
      ports: null,
      externalAddress: null,
      logger: quiet,
      ...options,
    });

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sigma-rooms-'));
    peers = [];
    events = [];
    rooms = createEngine();
    rooms.onEvent((event) => events.push(event));
    web = createServer((request, response) => response.end(`the product: ${request.url}`));
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    port = (web.address() as AddressInfo).port;
    detach = rooms.attach?.(web, () => true);
    await rooms.ready;
  });
  afterEach(async () => {
    await Promise.all(peers.map((peer) => peer.leave()));
    detach?.();
    await rooms.close();
    web.closeAllConnections();
    await new Promise((resolve) => web.close(resolve));
    await rm(dataDir, { recursive: true, force: true });
  });

  const connect = async (url: string, identity: string, room = 'lobby') => {
    const peer = new Peer(identity);
    peers.push(peer);
    const token = await rooms.token({ room, identity, name: identity.toUpperCase(), ttlMs: 60_000 });
    await peer.room.connect(url, token, { autoSubscribe: true, dynacast: false });
    return peer;
  };

  it('shares the port of the product: a call goes through it, and everything else stays the product', async () => {
    expect(rooms.status()).toEqual({ state: 'ready', message: 'Voice rooms are ready.' });
    const url = rooms.wsUrl({ host: `127.0.0.1:${port}`, secure: false });
    expect(url).toBe(`ws://127.0.0.1:${port}`);
    expect(rooms.wsUrl({ host: 'care.example.com', secure: true })).toBe('wss://care.example.com');
    const [ann, bob] = [await connect(url, 'ann'), await connect(rooms.internalUrl, 'bob')];
    await ann.hum(440);
    await expect.poll(() => bob.hears('ann', 440), SOON).toBeGreaterThan(0.02);
    const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    expect(await get('/agents?a=1')).toBe('the product: /agents?a=1');
    expect(await get('/rtcx')).toBe('the product: /rtcx');
    expect(await get('/rtc/validate')).toContain('no permissions');
  });

  it('tells what happens, in its order', async () => {
    const ann = await connect(rooms.internalUrl, 'ann');
    const { sid } = await ann.hum(440);
    await expect.poll(() => events.length, SOON).toBe(3);
    await ann.leave();
    await expect.poll(() => events.length, SOON).toBe(5);
    await rooms.deleteRoom('lobby');
    await expect.poll(() => events.length, SOON).toBe(6);
    expect(events.map(({ type }) => type)).toEqual([
      'room_started',
      'participant_joined',
      'track_published',
      'track_unpublished',
      'participant_left',
      'room_finished',
    ]);
    expect(events[1]).toMatchObject({
      room: 'lobby',
      participant: { identity: 'ann', name: 'ANN', kind: 'standard' },
    });
    expect(events[2]).toMatchObject({ identity: 'ann', trackSid: sid, kind: 'audio' });
    expect(events[4]).toMatchObject({ reason: 'left' });
    expect(new Set(events.map(({ roomSid }) => roomSid)).size).toBe(1);
  });

  it('makes, lists, mutes, removes and ends', async () => {
    await rooms.createRoom('lobby', { maxParticipants: 1, emptyTimeoutMs: 60_000 });
    const ann = await connect(rooms.internalUrl, 'ann');
    await expect(connect(rooms.internalUrl, 'bob')).rejects.toThrow();
    const { sid } = await ann.hum(440);
    await expect.poll(async () => (await rooms.listParticipants('lobby'))[0]?.tracks, SOON).toHaveLength(1);
    await rooms.muteTrack('lobby', 'ann', sid ?? '', true);
    const [seen] = await rooms.listParticipants('lobby');
    expect(seen).toMatchObject({ identity: 'ann', state: 'active', tracks: [{ sid, muted: true }] });
    expect(seen?.joinedAt).toBeInstanceOf(Date);
    await rooms.removeParticipant('lobby', 'ann');
    await expect.poll(() => ann.happened, SOON).toContain('disconnected:4');
    await expect.poll(() => rooms.listParticipants('lobby'), SOON).toEqual([]);
    const again = new Peer('ann');
    peers.push(again);
    const before = await rooms.token({ room: 'hall', identity: 'ann', name: 'Ann', ttlMs: 60_000 });
    await rooms.removeParticipant('hall', 'ann');
    await expect(again.room.connect(rooms.internalUrl, before)).rejects.toThrow();
    await rooms.removeParticipant('lobby', 'nobody');
    await rooms.deleteRoom('nowhere');
    expect(await rooms.listParticipants('nowhere')).toEqual([]);
  });

  it('keeps its keys, for nobody else to read, so that tokens outlive a restart', async () => {
    const grant = { room: 'lobby', identity: 'ann', name: 'Ann', ttlMs: 60_000 };
    const token = await rooms.token({ ...grant, kind: 'agent', hidden: true, canPublish: false });
    const path = join(dataDir, 'room-keys.json');
    const keys = JSON.parse(await readFile(path, 'utf8'));
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
    const claims = await new TokenVerifier(keys.apiKey, keys.apiSecret).verify(token);
    expect(claims).toMatchObject({
      sub: 'ann',
      kind: 'agent',
      video: { room: 'lobby', roomJoin: true, hidden: true, canPublish: false, canSubscribe: true },
    });
    const again = createEngine();
    const verifier = new TokenVerifier(keys.apiKey, keys.apiSecret);
    await expect(verifier.verify(await again.token(grant))).resolves.toMatchObject({ sub: 'ann' });
    await again.close();
  });

  it('takes the keys of the operator, whose tools then work with it', async () => {
    const keys = { apiKey: 'operator', apiSecret: 'a-secret-of-thirty-two-letters-at-least' };
    const own = createEngine({ keys });
    await own.ready;
    const admin = new RoomServiceClient(own.internalUrl.replace('ws', 'http'), keys.apiKey, keys.apiSecret);
    await admin.createRoom({ name: 'made elsewhere' });
    expect((await admin.listRooms()).map(({ name }) => name)).toEqual(['made elsewhere']);
    await own.close();
  });

  it('leaves the other channel of the port alone', async () => {
    detach?.();
    const channel = new SocketServer(web, { path: '/socket.io' });
    channel.on('connection', (socket) => socket.on('hello', (name, done) => done(`hello ${name}`)));
    detach = rooms.attach?.(web, () => true);
    const client = io(`http://127.0.0.1:${port}`, { transports: ['websocket'] });
    expect(await client.emitWithAck('hello', 'ann')).toBe('hello ann');
    const ann = await connect(`ws://127.0.0.1:${port}`, 'ann');
    expect(ann.others).toEqual([]);
    // Longer than the channel leaves an unknown upgrade open.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    const bob = await connect(`ws://127.0.0.1:${port}`, 'bob');
    await expect.poll(() => ann.others, SOON).toEqual(['bob']);
    expect(bob.happened).not.toContain('reconnecting');
    client.close();
    channel.engine.close();
  });

  it('says what is wrong when it cannot start, and answers for itself meanwhile', async () => {
    const refused = createEngine({ addresses: ['203.0.113.1'] });
    await refused.ready;
    expect(refused.status()).toEqual({
      state: 'failed',
      message: 'Voice rooms cannot start: No UDP port can be opened on this machine.',
    });
    await expect(refused.createRoom('lobby')).rejects.toMatchObject({ name: 'EngineError', retryable: true });
    await refused.close();
  });

  it('answers 503 on its paths while it is not there', async () => {
    await rooms.close();
    const response = await fetch(`http://127.0.0.1:${port}/rtc/validate`);
    expect(response.status).toBe(503);
    const token = await tokenFor({ apiKey: 'a', apiSecret: 'b'.repeat(32) }, { room: 'lobby' });
    await expect(new Peer('eve').room.connect(`ws://127.0.0.1:${port}`, token)).rejects.toThrow();
  });

  it('keeps to the UDP ports it may use', async () => {
    const inRange = createEngine({ ports: { min: 40_210, max: 40_230 } });
    await inRange.ready;
    expect(inRange.status().state).toBe('ready');
    const ann = new Peer('ann');
    peers.push(ann);
    await ann.room.connect(
      inRange.internalUrl,
      await inRange.token({ room: 'lobby', identity: 'ann', name: 'Ann', ttlMs: 60_000 }),
    );
    await expect.poll(async () => (await inRange.listParticipants('lobby'))[0]?.state, SOON).toBe('active');
    await ann.leave();
    await inRange.close();
  });
});
