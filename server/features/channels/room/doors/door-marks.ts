import { z } from 'zod';
import type { RoomParticipant } from '#server/engines/rooms/contract';
import type { Seal } from '#server/lib/seal';
import { roomMemberSchema } from '#shared/rooms';

type Marked = Pick<RoomParticipant, 'identity' | 'metadata'>;

const passageSchema = z.object({
  /** The session that admitted the participant. */
  sessionId: z.string(),
  /** How often the room had been closed by then. */
  closings: z.number(),
});
/** How a participant was admitted to a room. */
export type Passage = z.infer<typeof passageSchema>;

const AGENT = 'agent';

/**
 * How each participant was admitted, sealed into their token's metadata: a room server keeps it while they are inside,
 * and in every token that replaces the first, so every instance knows it, even one started later.
 */
export class DoorMarks {
  readonly #seal: Seal;

  constructor(seal: Seal) {
    this.#seal = seal;
  }

  ofPerson(roomName: string, identity: string, passage: Passage): string {
    return this.#seal.close(JSON.stringify(passage), purposeOf(roomName, identity));
  }

  ofAgent(roomName: string, identity: string): string {
    return this.#seal.close(AGENT, purposeOf(roomName, identity));
  }

  /** How a participant was admitted; null if unknown. */
  passageOf(roomName: string, participant: Marked): Passage | null {
    const mark = this.#read(roomName, participant);
    if (mark === null || mark === AGENT) return null;
    try {
      return passageSchema.parse(JSON.parse(mark));
    } catch {
      // A token of an older version, which names only the session: counts as closed to no room.
      return { sessionId: mark, closings: 0 };
    }
  }

  /** Whether a participant is an agent sent by an instance of this installation. */
  isAgent(roomName: string, participant: Marked): boolean {
    return this.#read(roomName, participant) === AGENT;
  }

  #read(roomName: string, { identity, metadata }: Marked): string | null {
    try {
      const door = roomMemberSchema.safeParse(JSON.parse(metadata)).data?.door;
      return door === undefined ? null : this.#seal.open(door, purposeOf(roomName, identity));
    } catch {
      return null;
    }
  }
}

const purposeOf = (roomName: string, identity: string) => `door of ${roomName} for ${identity}`;

/** Whether a token was made by this server for a customer. */
export function isCustomer(metadata: string): boolean {
  try {
    return roomMemberSchema.safeParse(JSON.parse(metadata)).data?.role === 'customer';
  } catch {
    return false;
  }
}
