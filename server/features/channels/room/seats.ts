import { conflict, unavailable } from '#server/lib/errors';
import { refusal } from '#shared/refusals/refusal';
import type { RoomLimits } from './limits.ts';
import { expectedAt, type Post } from './post.ts';
import type { DutyElsewhere } from './sharing/duty-elsewhere.ts';

interface SeatsSurroundings {
  /** Rooms with an agent of this process. */
  posts: ReadonlyMap<string, Post>;
  /** Those of other instances; null if no other instance has these rooms. */
  elsewhere: DutyElsewhere | null;
  limits: Pick<RoomLimits, 'maxAgents' | 'keptAgents' | 'maxRoomsPerUser'>;
  /** A user no longer comes to a room they requested, on any instance. */
  giveUp(roomName: string, identity: string): void;
  /** @returns whether an agent came back from a long unvisited room */
  callBackUnvisited(): boolean;
}

/**
 * Decides who may have an agent in one more room. A user who is in no room can always enter one, as long as there are
 * agents.
 */
export class Seats {
  readonly #around: SeatsSurroundings;

  constructor(around: SeatsSurroundings) {
    this.#around = around;
  }

  /**
   * Checks that a user is not in too many rooms. Rooms that they only requested are released for another one, oldest
   * first.
   * @throws AppError conflict
   */
  refuseTooManyRooms(roomName: string, identity: string): void {
    const { posts, elsewhere, limits, giveUp } = this.#around;
    const { maxRoomsPerUser } = limits;
    const count = this.#roomsWith(identity, roomName);
    if (count >= maxRoomsPerUser) throw conflict(refusal('rooms.too-many-joined', { max: maxRoomsPerUser }));
    const here = [...posts]
      .filter(([name, post]) => name !== roomName && expectedAt(post).includes(identity))
      .sort(([, one], [, other]) => (one.expected.get(identity) ?? 0) - (other.expected.get(identity) ?? 0))
      .map(([name]) => name);
    const asked = [...(elsewhere?.awaiting(identity, roomName) ?? []), ...here];
    const tooMany = count + asked.length + 1 - maxRoomsPerUser;
    for (const name of asked.slice(0, Math.max(0, tooMany))) giveUp(name, identity);
  }

  /**
   * Checks that a room can have an agent: the last ones are for accounts without one, who also get one back from an
   * unvisited room. An account that is in no room releases those that it only requested.
   * @throws AppError unavailable if there is none for this account
   */
  refuseWithoutAgent(roomName: string, identity: string): void {
    const { posts, elsewhere, limits, giveUp, callBackUnvisited } = this.#around;
    if (posts.has(roomName) || elsewhere?.room(roomName)) return;
    const others = elsewhere?.free ?? { free: 0, kept: 0 };
    const free = () => limits.maxAgents - posts.size + others.free;
    const held = [...posts].filter(([, { holder }]) => holder === identity);
    const heldElsewhere = elsewhere?.heldFor(identity) ?? [];
    const hasOne = held.length + heldElsewhere.length > 0;
    let givenBack = 0;
    if (hasOne && free() <= limits.keptAgents + others.kept) {
      if (this.#roomsWith(identity, roomName) > 0) throw unavailable('rooms.nearly-all-agents-busy');
      for (const [name, { call }] of held) if (!call.isVisited) giveUp(name, identity);
      for (const room of heldElsewhere) {
        if (room.people.length > 0) continue;
        giveUp(room.roomName, identity);
        if (room.expected.every((each) => each === identity)) givenBack++;
      }
    }
    if (free() + givenBack > 0 || callBackUnvisited()) return;
    throw unavailable('rooms.all-agents-busy');
  }

  /** The number of other rooms that a user is in. */
  #roomsWith(identity: string, roomName: string): number {
    const { posts, elsewhere } = this.#around;
    const here = [...posts].filter(([name, { call }]) => name !== roomName && call.isIn(identity));
    return here.length + (elsewhere?.roomsWith(identity, roomName) ?? 0);
  }
}
