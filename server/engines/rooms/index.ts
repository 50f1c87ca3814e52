import type { Config } from '#server/settings/config';
import type { RoomsEngine } from './contract.ts';
import { createEmbeddedRooms, type EmbeddedRoomsOptions } from './embedded/engine.ts';

/**
 * The rooms engine: the LiveKit server or cluster that the settings name, or the embedded room server. Usable
 * once `ready` has resolved; see `status()`.
 */
export async function createRooms(
  { rooms, dataDir }: Pick<Config, 'dataDir' | 'rooms'>,
  { logger, begin }: Pick<EmbeddedRoomsOptions, 'logger' | 'begin'>,
): Promise<RoomsEngine> {
  if (rooms.livekit) return (await import('./livekit.ts')).createLiveKitRooms(rooms.livekit);
  return createEmbeddedRooms({
    dataDir,
    keys: rooms.keys,
    ports: rooms.udpPorts,
    externalAddress: rooms.address,
    logger,
    begin,
  });
}
