import type { RoomMemberFace } from '#server/engines/participants/contract';
import { roomMemberSchema } from '#shared/rooms';
import type { Ears } from './ears.ts';

/** A person in a room. */
export interface Member {
  /** Identity in the room and the user's id: tokens use the same. */
  identity: string;
  name: string;
  ears: Ears;
  trackSid: string | null;
  isSpeaking: boolean;
  /** Resolves when their record is open. */
  entered: Promise<void>;
  /** Stops following their record's unasked words. */
  closeRecord: () => void;
  /** Resolves when their utterances are stored. */
  said: Promise<unknown>;
}

/**
 * Only this server's tokens identify people: participants of other programs on the same LiveKit are neither heard nor
 * recorded.
 */
export function roleOf({ metadata, isAgent }: RoomMemberFace): 'customer' | 'agent' | null {
  try {
    const role = roomMemberSchema.safeParse(JSON.parse(metadata)).data?.role ?? null;
    return (role === 'agent') === isAgent ? role : null;
  } catch {
    return null;
  }
}
