import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ownRoomSchema, type RoomChange, roomInviteSchema } from '#shared/rooms';
import { request, requestData } from '#web/lib/server/api-client';

/** Somebody who knocks is seen within this time, in milliseconds. */
const LOOK_AGAIN_MS = 3_000;

const keyOf = (roomName: string) => ['own-room', roomName] as const;
const pathOf = (roomName: string) => `/api/livekit/rooms/${encodeURIComponent(roomName)}`;
const participantPath = (roomName: string, identity: string) =>
  `${pathOf(roomName)}/participants/${encodeURIComponent(identity)}`;

/** A room of one's own as it stands, and who waits in its lobby. @param roomName null: it is not one's own */
export function useOwnRoom(roomName: string | null) {
  const { data } = useQuery({
    queryKey: keyOf(roomName ?? ''),
    queryFn: ({ signal }) => requestData(pathOf(roomName ?? ''), { schema: ownRoomSchema, signal }),
    enabled: roomName !== null,
    refetchInterval: LOOK_AGAIN_MS,
    retry: false,
  });
  return data ?? null;
}

/** Opens or closes a room of one's own. */
export function useChangeRoom(roomName: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: RoomChange) =>
      requestData(pathOf(roomName), { method: 'PUT', body: change, schema: ownRoomSchema }),
    onSuccess: (room) => queryClient.setQueryData(keyOf(roomName), room),
  });
}

type ParticipantAction = { identity: string; what: 'admit' | 'mute' | 'remove' };

/** Lets somebody in, mutes them or puts them out. */
export function useParticipantAction(roomName: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ identity, what }: ParticipantAction) => {
      const path = participantPath(roomName, identity);
      if (what === 'remove') await request(path, { method: 'DELETE' });
      else await request(`${path}/${what}`, { method: 'POST' });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keyOf(roomName) }),
  });
}

/** Makes a link into a room of one's own. @returns its address */
export async function requestInvite(roomName: string): Promise<string> {
  const path = `${pathOf(roomName)}/invites`;
  const { url } = await requestData(path, { method: 'POST', schema: roomInviteSchema });
  return url;
}
