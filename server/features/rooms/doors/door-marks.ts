import type { RoomParticipant } from '#server/engines/rooms/contract';
import type { Seal } from '#server/seal';
import { roomMemberSchema } from '#shared/rooms';

const AGENT = 'agent';

/**
 * How somebody came into a room, sealed into what their token says of them: a LiveKit server keeps it for as long as they
 * are inside, so that every instance knows it, one that was started later, too.
 */
export class DoorMarks {
  readonly #seal: Seal;

  constructor(seal: Seal) {
    this.#seal = seal;
  }

  ofSession(roomName: string, userId: string, sessionId: string): string {
    return this.#seal.close(sessionId, purposeOf(roomName, userId));
  }

  ofAgent(roomName: string, identity: string): string {
    return this.#seal.close(AGENT, purposeOf(roomName, identity));
  }

  /** The session through which a participant came; null where it is not told. */
  sessionOf(roomName: string, participant: Pick<RoomParticipant, 'identity' | 'metadata'>): string | null {
    const mark = this.#read(roomName, participant);
    return mark === AGENT ? null : mark;
  }

  /** Whether a participant is an agent that an instance of this installation has sent. */
  isAgent(roomName: string, participant: Pick<RoomParticipant, 'identity' | 'metadata'>): boolean {
    return this.#read(roomName, participant) === AGENT;
  }

  #read(
    roomName: string,
    { identity, metadata }: Pick<RoomParticipant, 'identity' | 'metadata'>,
  ): string | null {
    try {
      const door = roomMemberSchema.safeParse(JSON.parse(metadata)).data?.door;
      return door === undefined ? null : this.#seal.open(door, purposeOf(roomName, identity));
    } catch {
      return null;
    }
  }
}

const purposeOf = (roomName: string, identity: string) => `door of ${roomName} for ${identity}`;
