import type { Config } from '#server/config';
import type { Logger } from '#server/logger';
import type { RoomsEngine } from './contract.ts';
import { createEmbeddedRooms } from './embedded/engine.ts';
import { createLiveKitRooms } from './livekit.ts';

/**
 * The rooms of this server: the LiveKit server or cluster that the settings name, or the embedded room server.
 * Usable as soon as `ready` has resolved; see `status()`.
 */
export function createRooms(
  { rooms, dataDir }: Pick<Config, 'dataDir' | 'rooms'>,
  { logger }: { logger: Pick<Logger, 'warn' | 'error'> },
): RoomsEngine {
  if (rooms.livekit) return createLiveKitRooms(rooms.livekit);
  return createEmbeddedRooms({
    dataDir,
    keys: rooms.keys,
    ports: rooms.udpPorts,
    externalAddress: rooms.address,
    logger,
  });
}
