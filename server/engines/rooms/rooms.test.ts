import { randomUUID } from 'node:crypto';
import { DataPacket_Kind, TrackSource } from '@livekit/protocol';
import { dispose } from '@livekit/rtc-node';
import { RoomServiceClient } from 'livekit-server-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type CuttableLine, cuttableLine } from '../../../tests/support/cuttable-line.ts';
import { Peer, tokenFor } from '../../../tests/support/room-peers.ts';
import { type RunningRooms, roomServers } from '../../../tests/support/room-servers.ts';

const SOON = { interval: 50 };
/** A tone that is present has at least this amplitude; an absent one at most a tenth. */
const HEARD = 0.02;
const LOW = 440;
const HIGH = 1_150;

const reasons = { duplicate: '2', removed: '4', deleted: '5' };

afterAll(() => dispose());

for (const kind of roomServers) {
  const suite = kind.missing === null ? describe : describe.skip;
  suite(kind.missing === null ? kind.name : `${kind.name} (skipped: ${kind.missing})`, () => {
    let server: RunningRooms;
    let admin: RoomServiceClient;
    let peers: Peer[];
    let lines: CuttableLine[];
    let room: string;

    const join = async (identity: string, options: Parameters<typeof Peer.join>[3] = {}) => {
      const peer = await Peer.join(server, room, identity, options);
      peers.push(peer);
      return peer;
    };
    const soon = (what: () => unknown) => expect.poll(what, SOON);

    beforeAll(async () => {
      server = await kind.start();
      admin = new RoomServiceClient(server.url.replace('ws', 'http'), server.apiKey, server.apiSecret);
      peers = [];
      lines = [];
    });
    afterAll(() => server.stop());

    afterEach(async () => {
      await Promise.all(peers.splice(0).map((peer) => peer.leave()));
      await Promise.all(lines.splice(0).map((line) => line.close()));
      expect(server.failures).toEqual([]);
    });
    const newRoom = () => {
      room = `room ${randomUUID()}`;
      return room;
    };

    it('lets three people hear each other, and each hears who says what', async () => {
      newRoom();
      const [ann, bob] = await Promise.all([join('ann'), join('bob')]);
      await Promise.all([ann.hum(LOW), bob.hum(HIGH)]);
      const cid = await join('cid');
      await soon(() => bob.hears('ann', LOW)).toBeGreaterThan(HEARD);
      await soon(() => ann.hears('bob', HIGH)).toBeGreaterThan(HEARD);
      await soon(() => cid.hears('ann', LOW)).toBeGreaterThan(HEARD);
      await soon(() => cid.hears('bob', HIGH)).toBeGreaterThan(HEARD);
      expect(cid.hears('ann', HIGH)).toBeLessThan(HEARD / 10);
      expect(cid.hears('bob', LOW)).toBeLessThan(HEARD / 10);
      await soon(() => ann.others).toEqual(['bob', 'cid']);
      await soon(() => cid.happened).toContain('speaks:ann');
      await soon(() => cid.happened).toContain('speaks:bob');
    });

    it('tells the others when somebody comes, publishes, takes it back and goes', async () => {
      newRoom();
      const ann = await join('ann');
      const bob = await join('bob', { token: { name: 'Bob <b>', metadata: 'm', attributes: { a: '1' } } });
      await soon(() => ann.others).toEqual(['bob']);
      const seen = ann.room.remoteParticipants.get('bob');
      expect([seen?.name, seen?.metadata, seen?.attributes]).toEqual(['Bob <b>', 'm', { a: '1' }]);
      const publication = await bob.hum(LOW);
      await soon(() => ann.happened).toContain('subscribed:bob');
      await bob.me.unpublishTrack(publication.sid ?? '');
      await soon(() => ann.happened).toContain('unpublished:bob');
      await bob.hum(HIGH);
      await soon(() => ann.hears('bob', HIGH)).toBeGreaterThan(HEARD);
      await bob.leave();
      await soon(() => ann.happened).toContain('left:bob');
      expect(ann.others).toEqual([]);
    });

    it('carries data to everybody or to those who are named, with topic, sender and order', async () => {
      newRoom();
      const [ann, bob, cid] = await Promise.all([join('ann'), join('bob'), join('cid')]);
      await soon(() => bob.others).toEqual(['ann', 'cid']);
      await soon(() => cid.others).toEqual(['ann', 'bob']);
      await soon(async () => (await admin.listParticipants(room)).map(({ state }) => state)).toEqual([
        2, 2, 2,
      ]);
      const say = (text: string, options: object = {}) =>
        ann.me.publishData(Buffer.from(text), { reliable: true, topic: 'chat', ...options });
      for (let n = 0; n < 20; n++) await say(`line ${n}`);
      await say('for bob', { destination_identities: ['bob'] });
      await say('quick', { reliable: false });
      await soon(() => bob.data.some(({ text }) => text === 'quick')).toBe(true);
      const lines = bob.data.filter(({ text }) => text !== 'quick');
      expect(lines.map(({ text }) => text)).toEqual([
        ...Array.from({ length: 20 }, (_, n) => `line ${n}`),
        'for bob',
      ]);
      expect(lines[0]).toMatchObject({ from: 'ann', topic: 'chat' });
      await soon(() => cid.data.length).toBeGreaterThanOrEqual(21);
      expect(cid.data.map(({ text }) => text)).not.toContain('for bob');
      expect(ann.data).toEqual([]);
    });

    it('carries long text streams whole', async () => {
      newRoom();
      const [ann, bob] = await Promise.all([join('ann'), join('bob')]);
      const heard = new Promise<{ text: string; from: string }>((resolve) => {
        bob.room.registerTextStreamHandler('letters', async (reader, { identity }) => {
          resolve({ text: await reader.readAll(), from: identity });
        });
      });
      const text = 'Straße, 日本語, 🎧 and more. '.repeat(2_000);
      await soon(() => ann.others).toEqual(['bob']);
      await ann.me.sendText(text, { topic: 'letters' });
      expect(await heard).toEqual({ text, from: 'ann' });
    });

    it('lets an agent, and nobody else, put a name to the words of another', async () => {
      newRoom();
      const [ann, agent, bob] = await Promise.all([
        join('ann'),
        join('agent', { token: { kind: 'agent' } }),
        join('bob'),
      ]);
      const heard: string[] = [];
      ann.room.registerTextStreamHandler('words', async (reader, { identity }) => {
        heard.push(`${identity}: ${await reader.readAll()}`);
      });
      await soon(() => ann.others).toEqual(['agent', 'bob']);
      for (const [peer, text] of [
        [agent, 'as bob'],
        [bob, 'as himself'],
      ] as const) {
        const writer = await peer.me.streamText({
          topic: 'words',
          senderIdentity: peer === agent ? 'bob' : 'agent',
        });
        await writer.write(text);
        await writer.close();
      }
      await soon(() => heard.toSorted()).toEqual(['bob: as bob', 'bob: as himself']);
    });

    it('holds everybody to what their token lets them do', async () => {
      newRoom();
      const mute = await join('mute', { grant: { canPublish: false, canPublishData: false } });
      const deaf = await join('deaf', { grant: { canSubscribe: false } });
      const ghost = await join('ghost', { grant: { hidden: true } });
      const cameraOnly = await join('camera only', { grant: { canPublishSources: [TrackSource.CAMERA] } });
      const ann = await join('ann');
      await ann.hum(LOW);
      await soon(() => mute.hears('ann', LOW)).toBeGreaterThan(HEARD);
      await soon(() => ghost.hears('ann', LOW)).toBeGreaterThan(HEARD);
      // The client waits ten seconds before it reports the refusal.
      await Promise.all([
        expect(mute.hum(HIGH)).rejects.toThrow(),
        expect(cameraOnly.hum(HIGH)).rejects.toThrow(),
      ]);
      await mute.me.publishData(Buffer.from('psst'), { reliable: true }).catch(() => {});
      await deaf.me.publishData(Buffer.from('hello'), { reliable: true });
      await soon(() => ann.data.map(({ text }) => text)).toEqual(['hello']);
      expect(deaf.happened).not.toContain('subscribed:ann');
      expect(ann.others).toEqual(['camera only', 'deaf', 'mute']);
    });

    it('puts the older one out when somebody comes with the same identity', async () => {
      newRoom();
      const bob = await join('bob');
      const first = await join('ann');
      await soon(() => bob.others).toEqual(['ann']);
      const second = await join('ann');
      await soon(() => first.happened).toContain(`disconnected:${reasons.duplicate}`);
      await second.hum(LOW);
      await soon(() => bob.hears('ann', LOW)).toBeGreaterThan(HEARD);
    });

    it('keeps names as they are: slashes, emoji, HTML, 128 characters', async () => {
      for (const name of ['a/b/../c?d=e&f#g', '🎧 Büro', '<img src=x onerror=alert(1)>', 'x'.repeat(128)]) {
        room = name;
        const ann = await join(`${name.slice(0, 60)} ann`);
        const bob = await join('bob');
        await soon(() => bob.others).toEqual([`${name.slice(0, 60)} ann`]);
        expect((await admin.listRooms([name])).map((one) => one.name)).toEqual([name]);
        await ann.leave();
        await admin.deleteRoom(name);
        await soon(() => bob.happened).toContain(`disconnected:${reasons.deleted}`);
      }
    });

    it('turns expired, forged and foreign tokens away, and ones that open nothing', async () => {
      newRoom();
      const good = await tokenFor(server, { room });
      const [head, , signature] = good.split('.');
      const claims = Buffer.from(
        JSON.stringify({ iss: server.apiKey, sub: 'eve', video: { roomJoin: true, room }, exp: 9e9 }),
      );
      const bad = {
        none: '',
        expired: await tokenFor(server, { room }, { ttl: -3600 }),
        forged: `${head}.${claims.toString('base64url')}.${signature}`,
        foreign: await tokenFor({ ...server, apiSecret: 'another-secret-of-thirty-two-letters' }, { room }),
        'of another key': await tokenFor({ ...server, apiKey: 'else' }, { room }),
        roomless: await tokenFor(server, {}),
        'not for joining': await tokenFor(server, { room, roomJoin: false }),
        nonsense: 'nonsense',
      };
      for (const [what, token] of Object.entries(bad)) {
        const url = `${server.url.replace('ws', 'http')}/rtc/validate?access_token=${token}`;
        expect((await fetch(url)).status, what).toBe(what === 'roomless' ? 400 : 401);
        await expect(new Peer('eve').room.connect(server.url, token || 'none'), what).rejects.toThrow();
      }
      const validate = `${server.url.replace('ws', 'http')}/rtc/validate?access_token=${good}`;
      const response = await fetch(validate, { headers: { origin: 'https://elsewhere.example' } });
      expect([response.status, await response.text()]).toEqual([200, 'success']);
      expect(response.headers.get('access-control-allow-origin')).toBeTruthy();
    });

    it('lets an administrator see, change and end rooms', async () => {
      newRoom();
      const made = await admin.createRoom({
        name: room,
        metadata: 'first',
        maxParticipants: 2,
        emptyTimeout: 60,
      });
      expect([made.name, made.metadata, made.maxParticipants]).toEqual([room, 'first', 2]);
      const [ann, bob] = await Promise.all([join('ann'), join('bob')]);
      await soon(async () => (await admin.listParticipants(room)).length).toBe(2);
      await expect(join('cid')).rejects.toThrow();
      await admin.updateRoomMetadata(room, 'second');
      await soon(() => ann.happened).toContain('room-metadata:second');
      await admin.sendData(room, Buffer.from('to bob'), DataPacket_Kind.RELIABLE, {
        destinationIdentities: ['bob'],
        topic: 'news',
      });
      await soon(() => bob.data).toEqual([{ text: 'to bob', from: undefined, topic: 'news' }]);
      expect(ann.data).toEqual([]);
      expect((await admin.getParticipant(room, 'bob')).identity).toBe('bob');
      await expect(admin.getParticipant(room, 'nobody')).rejects.toThrow();
      await admin.removeParticipant(room, 'bob');
      await soon(() => bob.happened).toContain(`disconnected:${reasons.removed}`);
      await soon(() => ann.others).toEqual([]);
      await admin.deleteRoom(room);
      await soon(() => ann.happened).toContain(`disconnected:${reasons.deleted}`);
      expect(await admin.listRooms([room])).toEqual([]);
    });

    it('lets an administrator mute a track, but open no microphone from afar', async () => {
      newRoom();
      const [ann, bob] = await Promise.all([join('ann'), join('bob')]);
      const { sid } = await ann.hum(LOW);
      await soon(() => bob.hears('ann', LOW)).toBeGreaterThan(HEARD);
      const track = await admin.mutePublishedTrack(room, 'ann', sid ?? '', true);
      expect(track.muted).toBe(true);
      await soon(() => bob.happened).toContain('muted:ann');
      await expect(admin.mutePublishedTrack(room, 'ann', sid ?? '', false)).rejects.toThrow();
      bob.forgetSound();
      await soon(() => bob.hears('ann', LOW)).toBeLessThan(HEARD / 10);
    });

    it('lets an administrator change what somebody may do, is called and receives', async () => {
      newRoom();
      const [ann, bob] = await Promise.all([join('ann'), join('bob')]);
      const { sid } = await ann.hum(LOW);
      await soon(() => bob.hears('ann', LOW)).toBeGreaterThan(HEARD);
      await admin.updateSubscriptions(room, 'bob', [sid ?? ''], false);
      bob.forgetSound();
      await soon(() => bob.hears('ann', LOW)).toBeLessThan(HEARD / 10);
      await admin.updateSubscriptions(room, 'bob', [sid ?? ''], true);
      bob.forgetSound();
      await soon(() => bob.hears('ann', LOW)).toBeGreaterThan(HEARD);
      await admin.updateParticipant(room, 'ann', {
        name: 'Ann of the office',
        metadata: 'busy',
        attributes: { mood: 'good' },
      });
      await soon(() => bob.happened).toContain('metadata:busy');
      await soon(() => bob.room.remoteParticipants.get('ann')?.name).toBe('Ann of the office');
      expect(bob.room.remoteParticipants.get('ann')?.attributes).toEqual({ mood: 'good' });
      await admin.updateParticipant(room, 'ann', {
        permission: { canPublish: false, canSubscribe: true, canPublishData: true },
      });
      await soon(() => bob.happened).toContain('unpublished:ann');
    });

    it('lets people change their own metadata only if they may', async () => {
      newRoom();
      const ann = await join('ann', { grant: { canUpdateOwnMetadata: true } });
      const bob = await join('bob');
      await soon(() => bob.others).toEqual(['ann']);
      await ann.me.updateMetadata('mine');
      await ann.me.setAttributes({ hand: 'up' });
      await soon(() => bob.happened).toContain('metadata:mine');
      await soon(() => bob.room.remoteParticipants.get('ann')?.attributes).toEqual({ hand: 'up' });
      await bob.me.updateMetadata('not mine').catch(() => {});
      await bob.me.publishData(Buffer.from('done'), { reliable: true });
      await soon(() => ann.data.map(({ text }) => text)).toEqual(['done']);
      expect(ann.happened).not.toContain('metadata:not mine');
    });

    it('ends a room that nobody comes to, or that everybody has left', async () => {
      const untouched = newRoom();
      await admin.createRoom({ name: untouched, emptyTimeout: 1 });
      const left = newRoom();
      await admin.createRoom({ name: left, emptyTimeout: 60, departureTimeout: 1 });
      const ann = await join('ann');
      expect(await admin.listRooms([left, untouched])).toHaveLength(2);
      await ann.leave();
      await soon(() => admin.listRooms([left, untouched])).toEqual([]);
    });

    it('resumes after a cut line without losing a sound or being noticed', async () => {
      newRoom();
      const line = await cuttableLine(server.url);
      lines.push(line);
      const ann = await join('ann', { url: line.url });
      const bob = await join('bob');
      await Promise.all([ann.hum(LOW), bob.hum(HIGH)]);
      await soon(() => ann.hears('bob', HIGH)).toBeGreaterThan(HEARD);
      line.cut();
      await soon(() => ann.happened).toContain('reconnected');
      ann.forgetSound();
      bob.forgetSound();
      await soon(() => ann.hears('bob', HIGH)).toBeGreaterThan(HEARD);
      await soon(() => bob.hears('ann', LOW)).toBeGreaterThan(HEARD);
      await ann.me.publishData(Buffer.from('still here'), { reliable: true });
      await soon(() => bob.data.map(({ text }) => text)).toEqual(['still here']);
      expect(bob.happened).not.toContain('left:ann');
    });

    it('is joined again by everybody after it was restarted', async () => {
      newRoom();
      const [ann, bob] = await Promise.all([join('ann'), join('bob')]);
      await Promise.all([ann.hum(LOW), bob.hum(HIGH)]);
      await soon(() => ann.hears('bob', HIGH)).toBeGreaterThan(HEARD);
      await server.restart();
      await expect.poll(() => ann.happened).toContain('reconnected');
      await expect.poll(() => bob.happened).toContain('reconnected');
      ann.forgetSound();
      bob.forgetSound();
      await soon(() => ann.hears('bob', HIGH)).toBeGreaterThan(HEARD);
      await soon(() => bob.hears('ann', LOW)).toBeGreaterThan(HEARD);
    }, 90_000);

    it('tells everybody how good the connections are', async () => {
      newRoom();
      const [ann, bob] = await Promise.all([join('ann'), join('bob')]);
      await ann.hum(LOW);
      await soon(() => bob.happened.some((event) => event.startsWith('quality'))).toBe(true);
      expect(bob.happened.filter((event) => event.startsWith('quality 3'))).toEqual([]);
    });

    it('takes 20 joins and leaves, each of which hears', async () => {
      newRoom();
      const ann = await join('ann');
      await ann.hum(LOW);
      for (let n = 0; n < 20; n++) {
        const guest = await join(`guest ${n}`);
        await soon(() => guest.hears('ann', LOW)).toBeGreaterThan(HEARD);
        await guest.leave();
      }
      await soon(() => ann.others).toEqual([]);
      expect((await admin.listParticipants(room)).map(({ identity }) => identity)).toEqual(['ann']);
    }, 90_000);
  });
}
