import type { RoomParticipant, RoomsEngine } from '#server/engines/rooms/contract';
import type { Seal } from '#server/lib/seal';
import type { CustomerMember } from '#shared/rooms';
import { DoorMarks, isCustomer, type Passage } from './door-marks.ts';
import type { RoomDoors } from './room-doors.ts';
import { SessionKeys } from './session-keys.ts';

type Participant = Pick<RoomParticipant, 'identity' | 'metadata'>;

interface GuardSurroundings {
  rooms: Pick<RoomsEngine, 'kind' | 'listParticipants' | 'removeParticipant' | 'askAtTheDoor'>;
  doors: Pick<RoomDoors, 'isOpenTo'>;
  /** The same for all instances. */
  seal: Seal;
  /** The active ones of these sessions. */
  liveSessions(sessionIds: readonly string[]): Promise<Set<string>>;
  /** Rooms with an agent of this process, and the users in them. */
  inside(): { roomName: string; people: readonly string[] }[];
  onFailure(error: unknown): void;
}

/**
 * Keeps people out of rooms if the owner has removed them, if their key is from before the room was closed, or if their
 * session has ended. The embedded room server asks before admitting; a LiveKit server reports arrivals, and intruders
 * are removed. Each token says how its holder was admitted, so that any instance knows it.
 */
export class RoomGuard {
  readonly marks: DoorMarks;
  readonly #around: GuardSurroundings;
  readonly #keys = new SessionKeys();

  constructor(around: GuardSurroundings) {
    this.#around = around;
    this.marks = new DoorMarks(around.seal);
    around.rooms.askAtTheDoor?.((roomName, participant) => this.mayEnter(roomName, participant));
  }

  /** Admits a person. @returns the metadata of their token */
  letIn(roomName: string, identity: string, passage: Passage): CustomerMember {
    this.#keys.opened(roomName, identity, passage.sessionId);
    return { role: 'customer', door: this.marks.ofPerson(roomName, identity, passage) };
  }

  /** Removes a person whose session has ended from rooms, and blocks the keys of that session. */
  sessionEnded(sessionId: string, identity: string): void {
    const roomsTheyAreIn = this.#around
      .inside()
      .flatMap(({ roomName, people }) => (people.includes(identity) ? [roomName] : []));
    if (this.#isLiveKit) {
      const letIn = this.#keys.ended(sessionId, identity, []);
      for (const roomName of new Set([...letIn, ...roomsTheyAreIn])) void this.#recheck(roomName, [identity]);
    } else
      for (const roomName of this.#keys.ended(sessionId, identity, roomsTheyAreIn))
        void this.#putOut(roomName, identity);
  }

  /** Removes people who may not be there and were missed, for example by another instance. Never rejects. */
  async recheck(): Promise<void> {
    if (!this.#isLiveKit) return;
    await Promise.all(this.#around.inside().map(({ roomName }) => this.#recheck(roomName, null)));
  }

  /**
   * Removes a person who may not be there: they may hold an old token. Never rejects.
   * @returns whether they stay
   */
  async turnAway(roomName: string, participant: Participant): Promise<boolean> {
    try {
      if (await this.mayEnter(roomName, participant)) return true;
      await this.#putOut(roomName, participant.identity);
      return false;
    } catch (error) {
      this.#around.onFailure(error);
      return true;
    }
  }

  /**
   * Whether a person may enter a room with their key, or stay. Participants other than customers are left to the room
   * server.
   */
  async mayEnter(roomName: string, participant: Participant): Promise<boolean> {
    const { identity, metadata } = participant;
    if (!isCustomer(metadata)) return true;
    const passage = this.marks.passageOf(roomName, participant);
    if (!this.#isLiveKit && this.#keys.isBarred(roomName, identity)) return false;
    if (passage && !(await this.#around.liveSessions([passage.sessionId])).has(passage.sessionId))
      return false;
    return this.#around.doors.isOpenTo(roomName, identity, passage?.closings ?? 0);
  }

  /** Forgets entries without valid keys. */
  sweep(): void {
    const inside = this.#around.inside();
    this.#keys.sweep((name, identity) =>
      inside.some(({ roomName, people }) => roomName === name && people.includes(identity)),
    );
  }

  /** @param users null: everybody who is there */
  async #recheck(roomName: string, users: readonly string[] | null): Promise<void> {
    try {
      const there = await this.#around.rooms.listParticipants(roomName);
      const theirs = there.filter(({ identity }) => users?.includes(identity) ?? true);
      await Promise.all(theirs.map((participant) => this.turnAway(roomName, participant)));
    } catch (error) {
      this.#around.onFailure(error);
    }
  }

  async #putOut(roomName: string, identity: string): Promise<void> {
    try {
      await this.#around.rooms.removeParticipant(roomName, identity);
    } catch (error) {
      this.#around.onFailure(error);
    }
  }

  get #isLiveKit(): boolean {
    return this.#around.rooms.kind === 'livekit';
  }
}
