import { afterEach, expect, it } from 'vitest';
import { Peer, tokenFor } from '../../../tests/support/room-peers.ts';
import { startEmbedded } from '../../../tests/support/room-servers.ts';
import type { PresenceListener } from './contract.ts';
import { createLiveKitParticipants } from './livekit.ts';

const closers: (() => Promise<unknown>)[] = [];
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

it('is seen after a restart of the room server as it last told of itself, also while that was away', async () => {
  const server = await startEmbedded();
  closers.push(() => server.stop());
  const participants = createLiveKitParticipants();
  closers.push(() => participants.close());
  const grant = { room: 'kitchen', canUpdateOwnMetadata: true };
  const token = await tokenFor(server, grant, { identity: 'agent-a', kind: 'agent' });
  const presence = await participants.join({ url: server.url, token, listener: nobody });
  presence.setAttributes({ 'lk.agent.state': 'speaking' });
  const ann = await Peer.join(server, 'kitchen', 'ann');
  closers.push(() => ann.leave());
  const seen = () => ann.room.remoteParticipants.get('agent-a')?.attributes['lk.agent.state'];
  await expect.poll(seen).toBe('speaking');
  const restarting = server.restart();
  await expect.poll(() => ann.happened, { interval: 1 }).toContain('reconnecting');
  presence.setAttributes({ 'lk.agent.state': 'listening' });
  await restarting;
  await expect.poll(() => ann.happened).toContain('reconnected');
  await expect.poll(seen).toBe('listening');
  await presence.leave();
});
