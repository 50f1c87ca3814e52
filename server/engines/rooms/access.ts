import type { RoomGrant } from './contract.ts';
import type { RoomKeys } from './keys.ts';

/** A token for one participant in one room. */
export async function roomToken({ apiKey, apiSecret }: RoomKeys, grant: RoomGrant): Promise<string> {
  // Loaded on demand: some 150 files that the start does not need.
  const { AccessToken, TrackSource } = await import('livekit-server-sdk');
  const token = new AccessToken(apiKey, apiSecret, {
    identity: grant.identity,
    name: grant.name,
    ttl: Math.max(1, Math.ceil(grant.ttlMs / 1000)),
    ...(grant.metadata === undefined ? {} : { metadata: grant.metadata }),
    ...(grant.attributes === undefined ? {} : { attributes: grant.attributes }),
  });
  if (grant.kind === 'agent') token.kind = 'agent';
  token.addGrant({
    roomJoin: true,
    room: grant.room,
    canPublish: grant.canPublish ?? true,
    canSubscribe: grant.canSubscribe ?? true,
    ...(grant.microphoneOnly ? { canPublishSources: [TrackSource.MICROPHONE] } : {}),
    canPublishData: grant.canPublishData ?? true,
    canUpdateOwnMetadata: grant.canUpdateOwnMetadata ?? false,
    hidden: grant.hidden ?? false,
    ...(grant.kind === 'agent' ? { agent: true } : {}),
  });
  return token.toJwt();
}
