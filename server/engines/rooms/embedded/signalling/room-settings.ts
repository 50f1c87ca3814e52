import type { CreateRoomRequest, RoomConfiguration } from '@livekit/protocol';
import type { RoomSettings } from './room.ts';

/** Room settings in a request or token; omitted ones stay as they are. */
export function settingsOf(
  wanted: Partial<
    Pick<
      CreateRoomRequest | RoomConfiguration,
      'emptyTimeout' | 'departureTimeout' | 'maxParticipants' | 'metadata'
    >
  > = {},
): Partial<RoomSettings> {
  const { emptyTimeout, departureTimeout, maxParticipants, metadata } = wanted;
  return {
    ...(emptyTimeout ? { emptyTimeoutMs: emptyTimeout * 1000 } : {}),
    ...(departureTimeout ? { departureTimeoutMs: departureTimeout * 1000 } : {}),
    ...(maxParticipants ? { maxParticipants } : {}),
    ...(metadata ? { metadata } : {}),
  };
}
