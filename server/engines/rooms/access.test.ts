import { TokenVerifier } from 'livekit-server-sdk';
import { expect, it } from 'vitest';
import { roomToken } from './access.ts';
import type { RoomGrant } from './contract.ts';

const keys = { apiKey: 'devkey', apiSecret: 'a secret that is long enough to sign with' };

const videoGrantOf = async (more: Partial<RoomGrant> = {}) => {
  const token = await roomToken(keys, { room: 'lobby', identity: 'ada', name: 'Ada', ttlMs: 1_000, ...more });
  return (await new TokenVerifier(keys.apiKey, keys.apiSecret).verify(token)).video;
};

it('lets its holder publish everything where nothing is said', async () => {
  const grant = await videoGrantOf();
  expect(grant).toMatchObject({ room: 'lobby', roomJoin: true, canPublish: true, canPublishData: true });
  expect(grant).not.toHaveProperty('canPublishSources');
});

it('lets its holder publish a microphone alone', async () => {
  const grant = await videoGrantOf({ microphoneOnly: true, canPublishData: false });
  expect(grant).toMatchObject({ canPublish: true, canPublishData: false, canPublishSources: ['microphone'] });
});
