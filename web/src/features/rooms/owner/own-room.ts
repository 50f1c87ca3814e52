import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ownRoomSchema, type RoomChange, roomInviteSchema } from '#shared/rooms';
import { request, requestData } from '#web/lib/server/api-client';

/** People in the lobby are shown within this time, in milliseconds. */
const LOOK_AGAIN_MS = 3_000;

const keyOf = (roomName: string) => ['own-room', roomName] as const;
const pathOf = (roomName: string) => `/api/livekit/rooms/${encodeURIComponent(roomName)}`;
const participantPath = (roomName: string, identity: string) =>
  `${pathOf(roomName)}/participants/${encodeURIComponent(identity)}`;

/** The settings of the user's own room, and the people in its lobby. @param roomName null: not the user's own */
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

/** Changes the settings of the user's own room. */
export function useChangeRoom(roomName: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: RoomChange) =>
      requestData(pathOf(roomName), { method: 'PUT', body: change, schema: ownRoomSchema }),
    onSuccess: (room) => queryClient.setQueryData(keyOf(roomName), room),
  });
}

type ParticipantAction = { identity: string; what: 'admit' | 'mute' | 'remove' };

/** Admits, mutes or removes a participant. */
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

/** Makes an invitation link to the user's own room. @returns its address */
export async function requestInvite(roomName: string): Promise<string> {
  const path = `${pathOf(roomName)}/invites`;
  const { url } = await requestData(path, { method: 'POST', schema: roomInviteSchema });
  return url;
}
