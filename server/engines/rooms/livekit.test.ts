import { createHash } from 'node:crypto';
import { ParticipantInfo, Room, TrackInfo, TrackType, WebhookEvent } from '@livekit/protocol';
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningRooms, roomServers } from '../../../tests/support/room-servers.ts';
import { SignalClient } from '../../../tests/support/signal-client.ts';
import type { RoomEvent, RoomsEngine } from './contract.ts';
import { createLiveKitRooms } from './livekit.ts';

const SOON = { interval: 50 };

// Both speak LiveKit's protocol, so the engine is tested against either.
for (const kind of roomServers) {
  const suite = kind.missing === null ? describe : describe.skip;
  suite(`the LiveKit engine on ${kind.name}${kind.missing ? ` (skipped: ${kind.missing})` : ''}`, () => {
    let server: RunningRooms;
    let rooms: RoomsEngine;
    let events: RoomEvent[];

    beforeAll(async () => {
      server = await kind.start();
    });
    afterAll(() => server.stop());
    beforeEach(async () => {
      events = [];
      rooms = createLiveKitRooms(server);
      rooms.onEvent((event) => events.push(event));
      await rooms.ready;
    });
    afterEach(() => rooms.close());

    it('makes rooms, lists who is there, puts them out and ends rooms', async () => {
      expect(rooms.status()).toEqual({
        state: 'ready',
        message: 'Voice rooms are ready, on the LiveKit server.',
      });
      expect(rooms.wsUrl({ host: 'care.example.com', secure: true })).toBe(server.url);
      await rooms.createRoom('lobby', { emptyTimeoutMs: 60_000, metadata: 'made' });
      const ann = await SignalClient.join(server, 'lobby', 'ann');
      await expect
        .poll(async () => (await rooms.listParticipants('lobby')).map(({ identity }) => identity), SOON)
        .toEqual(['ann']);
      await rooms.removeParticipant('lobby', 'ann');
      await expect.poll(() => ann.newest('leave'), SOON).not.toBeNull();
      await rooms.removeParticipant('lobby', 'nobody');
      await rooms.deleteRoom('lobby');
      await rooms.deleteRoom('lobby');
      expect(await rooms.listParticipants('lobby')).toEqual([]);
    });

    it('says when its keys are refused', async () => {
      const refused = createLiveKitRooms({ ...server, apiSecret: 'not-the-secret-of-thirty-two-letters' });
      await refused.ready;
      expect(refused.status()).toMatchObject({ state: 'failed', message: expect.stringContaining('keys') });
      await expect(refused.createRoom('lobby')).rejects.toMatchObject({
        name: 'EngineError',
        retryable: false,
      });
      await refused.close();
    });

    it('says when nobody is there', async () => {
      const away = createLiveKitRooms({ ...server, url: 'ws://127.0.0.1:9' });
      await away.ready;
      expect(away.status()).toMatchObject({
        state: 'failed',
        message: expect.stringContaining('LIVEKIT_URL'),
      });
      await expect(away.deleteRoom('lobby')).rejects.toMatchObject({ name: 'EngineError', retryable: true });
      await away.close();
    });

    it('asks by other keys when they change, and believes what those of before signed for a while yet', async () => {
      const { apiKey, apiSecret, url } = server;
      const changing = createLiveKitRooms({ url, apiKey, apiSecret: 'not-the-secret-of-thirty-two-letters' });
      await changing.ready;
      changing.takeKeys?.({ apiKey, apiSecret });
      await changing.createRoom('lobby');
      await changing.deleteRoom('lobby');
      await expect.poll(() => changing.status().state, SOON).toBe('ready');
      const body = new WebhookEvent({ event: 'egress_started' }).toJsonString();
      const signedBy = async (secret: string) => {
        const token = new AccessToken(apiKey, secret, { ttl: 60 });
        token.sha256 = createHash('sha256').update(body).digest('base64');
        return changing.receiveWebhook?.(body, await token.toJwt());
      };
      expect(await signedBy(apiSecret)).toBe(true);
      expect(await signedBy('not-the-secret-of-thirty-two-letters')).toBe(true);
      expect(await signedBy('x'.repeat(32))).toBe(false);
      await changing.close();
    });

    it('tells what signed webhooks say, and takes no others', async () => {
      const post = async (event: WebhookEvent, secret = server.apiSecret) => {
        const body = event.toJsonString();
        const token = new AccessToken(server.apiKey, secret, { ttl: 60 });
        token.sha256 = createHash('sha256').update(body).digest('base64');
        return rooms.receiveWebhook?.(body, await token.toJwt());
      };
      const about = {
        room: new Room({ name: 'lobby', sid: 'RM_1' }),
        participant: new ParticipantInfo({ identity: 'ann', sid: 'PA_1', disconnectReason: 1 }),
      };
      expect(await post(new WebhookEvent({ event: 'room_started', room: about.room }))).toBe(true);
      expect(await post(new WebhookEvent({ event: 'participant_joined', ...about }))).toBe(true);
      const track = new TrackInfo({ sid: 'TR_1', type: TrackType.AUDIO });
      expect(await post(new WebhookEvent({ event: 'track_published', ...about, track }))).toBe(true);
      expect(await post(new WebhookEvent({ event: 'participant_left', ...about }))).toBe(true);
      expect(await post(new WebhookEvent({ event: 'egress_started' }))).toBe(true);
      expect(await post(new WebhookEvent({ event: 'room_finished', room: about.room }), 'x'.repeat(32))).toBe(
        false,
      );
      expect(await rooms.receiveWebhook?.('{}', undefined)).toBe(false);
      expect(events).toMatchObject([
        { type: 'room_started', room: 'lobby', roomSid: 'RM_1' },
        { type: 'participant_joined', participant: { identity: 'ann' } },
        { type: 'track_published', identity: 'ann', trackSid: 'TR_1', kind: 'audio' },
        { type: 'participant_left', reason: 'left' },
      ]);
    });
  });
}
