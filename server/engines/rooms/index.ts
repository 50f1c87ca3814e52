import type { Config } from '#server/config';
import type { Logger } from '#server/logger';
import type { RoomsEngine } from './contract.ts';
import { createEmbeddedRooms } from './embedded/engine.ts';
import type { RoomKeys } from './keys.ts';
import { createLiveKitRooms } from './livekit.ts';

/**
 * The rooms of this server: the LiveKit server or cluster that the settings name, or the embedded room server.
 * Usable as soon as `ready` has resolved; see `status()`.
 * @param config.rooms.keys the embedded server's keys, so that other tools of the operator may use it; null: its own
 */
export function createRooms(
  { rooms, dataDir }: Pick<Config, 'dataDir'> & { rooms: Config['rooms'] & { keys?: RoomKeys | null } },
  { logger }: { logger: Pick<Logger, 'warn' | 'error'> },
): RoomsEngine {
  if (rooms.livekit) return createLiveKitRooms(rooms.livekit);
  return createEmbeddedRooms({
    dataDir,
    keys: rooms.keys ?? null,
    ports: rooms.udpPorts,
    externalAddress: rooms.address,
    logger,
  });
}
