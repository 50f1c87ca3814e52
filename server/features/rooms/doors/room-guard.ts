import type { RoomParticipant, RoomsEngine } from '#server/engines/rooms/contract';
import type { Seal } from '#server/seal';
import type { CustomerMember } from '#shared/rooms';
import { DoorMarks } from './door-marks.ts';
import type { RoomDoors } from './room-doors.ts';
import { SessionKeys } from './session-keys.ts';

type Participant = Pick<RoomParticipant, 'identity' | 'metadata'>;

interface GuardSurroundings {
  rooms: Pick<RoomsEngine, 'kind' | 'listParticipants' | 'removeParticipant'>;
  doors: Pick<RoomDoors, 'isRemoved'>;
  /** The same for all instances. */
  seal: Seal;
  /** Those of these sessions that have not ended. */
  liveSessions(sessionIds: readonly string[]): Promise<Set<string>>;
  /** Rooms with an agent of this process, and the users in them. */
  inside(): { roomName: string; people: readonly string[] }[];
  onFailure(error: unknown): void;
}

/**
 * Puts out of rooms whoever may not be there: whom a room's owner has put out, and who came through a session that has
 * ended. Embedded rooms are this process's, which remembers how people came in; on a LiveKit server each token says it, so
 * that any instance puts out the right ones, whoever let them in.
 */
export class RoomGuard {
  readonly marks: DoorMarks;
  readonly #around: GuardSurroundings;
  readonly #keys = new SessionKeys();

  constructor(around: GuardSurroundings) {
    this.#around = around;
    this.marks = new DoorMarks(around.seal);
  }

  /** Lets somebody in. @returns what their token says of them */
  letIn(roomName: string, userId: string, sessionId: string): CustomerMember {
    this.#keys.opened(roomName, userId, sessionId);
    const door = this.#isLiveKit ? { door: this.marks.ofSession(roomName, userId, sessionId) } : {};
    return { role: 'customer', ...door };
  }

  /** Whoever came into a room through a session that has ended is put out, and does not come back with the key it was given. */
  sessionEnded(sessionId: string, userId: string): void {
    const roomsTheyAreIn = this.#around
      .inside()
      .flatMap(({ roomName, people }) => (people.includes(userId) ? [roomName] : []));
    if (this.#isLiveKit) {
      const letIn = this.#keys.ended(sessionId, userId, []);
      for (const roomName of new Set([...letIn, ...roomsTheyAreIn])) void this.#recheck(roomName, [userId]);
    } else
      for (const roomName of this.#keys.ended(sessionId, userId, roomsTheyAreIn))
        void this.turnAway(roomName, { identity: userId, metadata: '' });
  }

  /** Puts everybody out whose session has ended unheard, as it may at another instance. Never rejects. */
  async recheckSessions(): Promise<void> {
    if (!this.#isLiveKit) return;
    const rooms = this.#around.inside();
    await Promise.all(rooms.map(({ roomName, people }) => this.#recheck(roomName, people)));
  }

  /** Puts somebody out who may not be there: they may hold a token from before. Never rejects. */
  async turnAway(roomName: string, participant: Participant): Promise<void> {
    const { rooms, doors, onFailure } = this.#around;
    try {
      const { identity } = participant;
      const isBarred = this.isBarred(roomName, participant);
      // What this process knows itself is carried out at once.
      if (isBarred === true || (await isBarred) || (await doors.isRemoved(roomName, identity)))
        await rooms.removeParticipant(roomName, identity);
    } catch (error) {
      onFailure(error);
    }
  }

  /** Whether somebody came, or comes, through a session that has ended. */
  isBarred(roomName: string, participant: Participant): boolean | Promise<boolean> {
    return this.#isLiveKit
      ? this.#cameThroughEnded(roomName, participant)
      : this.#keys.isBarred(roomName, participant.identity);
  }

  async #cameThroughEnded(roomName: string, participant: Participant): Promise<boolean> {
    const sessionId = this.marks.sessionOf(roomName, participant);
    return sessionId !== null && !(await this.#around.liveSessions([sessionId])).has(sessionId);
  }

  /** Forgets what no key leads to any more. */
  sweep(): void {
    const inside = this.#around.inside();
    this.#keys.sweep((name, userId) =>
      inside.some(({ roomName, people }) => roomName === name && people.includes(userId)),
    );
  }

  async #recheck(roomName: string, users: readonly string[]): Promise<void> {
    if (users.length === 0) return;
    try {
      const there = await this.#around.rooms.listParticipants(roomName);
      const theirs = there.filter(({ identity }) => users.includes(identity));
      await Promise.all(theirs.map((participant) => this.turnAway(roomName, participant)));
    } catch (error) {
      this.#around.onFailure(error);
    }
  }

  get #isLiveKit(): boolean {
    return this.#around.rooms.kind === 'livekit';
  }
}
