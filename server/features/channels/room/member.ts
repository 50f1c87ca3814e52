import type { RoomMemberFace } from '#server/engines/participants/contract';
import { roomMemberSchema } from '#shared/rooms';
import type { Ears } from './ears.ts';

/** Somebody in a room. */
export interface Member {
  /** Identity in the room and the user's id: tokens say nothing else. */
  identity: string;
  name: string;
  ears: Ears;
  trackSid: string | null;
  isSpeaking: boolean;
  /** Resolves when their record is open. */
  entered: Promise<void>;
  /** What is said in their record is heard in the room no more. */
  closeRecord: () => void;
  /** Resolves when what they have said is stored. */
  said: Promise<unknown>;
}

/**
 * Only this server's tokens say who somebody is: participants of other programs on the same LiveKit are neither heard nor
 * written down.
 */
export function roleOf({ metadata, isAgent }: RoomMemberFace): 'customer' | 'agent' | null {
  try {
    const role = roomMemberSchema.safeParse(JSON.parse(metadata)).data?.role ?? null;
    return (role === 'agent') === isAgent ? role : null;
  } catch {
    return null;
  }
}
