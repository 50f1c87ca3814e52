import { z } from 'zod';
import type { Seat, SharedState } from '#server/engines/shared-state/contract';
import type { RoomLimits } from '../limits.ts';
import { DutyElsewhere } from './duty-elsewhere.ts';
import { type Duty, type HeldRoom, toldWantedSchema, type WantedRoom } from './wire.ts';

interface ClaimsSurroundings {
  sharedState: Pick<SharedState, 'take' | 'tell' | 'hear' | 'status'>;
  limits: Pick<RoomLimits, 'tellMs' | 'silentMs' | 'claimMs' | 'arrivalMs'>;
  /** This instance's own agents. */
  duty(): Duty;
  /** Expects users in a room of this instance. @returns false if it is another's */
  expect(roomName: string, users: readonly string[]): boolean;
  /** A user no longer comes to a requested room of this instance. */
  giveUp(roomName: string, identity: string): void;
  hasPeople(roomName: string): Promise<boolean>;
  /** Sends the agent to a room that is now ours. @returns false without a free agent; the claim was not taken then */
  begin(room: WantedRoom, failures: number, claim: Seat): Promise<boolean>;
  onFailure(error: unknown): void;
}

interface Wanted extends WantedRoom {
  failures: number;
  /** A lost instance left it behind: the people in it may have left since. */
  isLeftBehind: boolean;
  until: number;
  toldAt: number;
  /** When to ask for the claim again after a failure. */
  askAt: number;
  isAsking: boolean;
}

const TOPIC = 'an agent is wanted';
const GIVEN_UP_TOPIC = 'a room was given up';
const givenUpSchema = z.object({ roomName: z.string(), identity: z.string() });

/**
 * Decides which instance sends the agent of a room if several share a LiveKit server: the holder of its claim. The
 * instance asked watches over the room until one holds the claim: itself, or another one, which is told who comes. All
 * others want the rooms of a lost instance.
 */
export class RoomClaims {
  readonly elsewhere: DutyElsewhere;
  readonly #around: ClaimsSurroundings;
  readonly #wanted = new Map<string, Wanted>();
  readonly #looking: NodeJS.Timeout;
  readonly #telling: NodeJS.Timeout;
  #isClosed = false;

  constructor(around: ClaimsSurroundings) {
    const { sharedState, limits } = around;
    this.#around = around;
    this.elsewhere = new DutyElsewhere({ sharedState, silentMs: limits.silentMs });
    sharedState.hear(TOPIC, toldWantedSchema, ({ isOpen, ...room }) => {
      if (around.expect(room.roomName, room.users)) this.changed();
      else if (isOpen) this.want(room);
    });
    sharedState.hear(GIVEN_UP_TOPIC, givenUpSchema, ({ roomName, identity }) =>
      around.giveUp(roomName, identity),
    );
    this.#looking = setInterval(() => this.#look(), limits.claimMs).unref();
    this.#telling = setInterval(() => this.changed(), limits.tellMs).unref();
    this.changed();
  }

  /** Gets an agent into a room. @param failures how often in a row it was lost, or unreachable */
  want(room: WantedRoom, { failures = 0, isLeftBehind = false } = {}): void {
    if (this.#isClosed) return;
    const before = this.#wanted.get(room.roomName);
    const wanted: Wanted = {
      ...room,
      users: [...new Set([...(before?.users ?? []), ...room.users])],
      failures,
      isLeftBehind,
      until: Date.now() + this.#around.limits.arrivalMs,
      toldAt: 0,
      askAt: 0,
      isAsking: false,
    };
    if (before) Object.assign(before, { users: wanted.users, until: wanted.until, toldAt: 0 });
    else this.#wanted.set(room.roomName, wanted);
    void this.#settle(before ?? wanted);
  }

  /** A user no longer comes to a requested room of another instance. */
  giveUp(roomName: string, identity: string): void {
    this.#around.sharedState.tell(GIVEN_UP_TOPIC, { roomName, identity });
  }

  /** Leaves a room to an instance that can send an agent. */
  leaveToOthers(room: WantedRoom): void {
    this.#tellWanted(room, true);
  }

  /** Reports this instance's state to the others. */
  changed(): void {
    if (!this.#isClosed) this.elsewhere.tell(this.#around.duty());
  }

  /** Leaves wanted rooms to the others. */
  close(): void {
    if (this.#isClosed) return;
    for (const room of this.#wanted.values()) this.leaveToOthers(room);
    this.#wanted.clear();
    this.elsewhere.tell({ ...this.#around.duty(), rooms: [], free: 0, kept: 0 });
    this.#isClosed = true;
    clearInterval(this.#looking);
    clearInterval(this.#telling);
  }

  #look(): void {
    for (const { people, expected, ...room } of this.elsewhere.forgetGone())
      if (people.length + expected.length > 0)
        this.want({ ...room, users: expected }, { isLeftBehind: true });
    for (const wanted of this.#wanted.values()) void this.#settle(wanted);
  }

  async #settle(wanted: Wanted): Promise<void> {
    const { roomName, users } = wanted;
    if (wanted.isAsking) return;
    const held = this.elsewhere.room(roomName);
    const isSettled =
      wanted.until < Date.now() ||
      this.#around.expect(roomName, users) ||
      (held && users.every((identity) => isAwaited(held, identity)));
    if (isSettled) this.#wanted.delete(roomName);
    else if (held) this.#tellNowAndThen(wanted, false);
    else if (this.#around.duty().free <= 0) this.#tellNowAndThen(wanted, true);
    else await this.#claim(wanted);
  }

  async #claim(wanted: Wanted): Promise<void> {
    const { sharedState, begin, onFailure, limits } = this.#around;
    if (wanted.askAt > Date.now()) return;
    wanted.isAsking = true;
    let claim: Seat | null = null;
    try {
      claim = await sharedState.take(`agent in room ${wanted.roomName}`, 1);
      if (!claim) return;
      const isNeeded = await this.#isNeeded(wanted);
      const isBegun = isNeeded && (await begin(wanted, wanted.failures, claim));
      if (isBegun || !isNeeded) this.#wanted.delete(wanted.roomName);
      if (!isBegun) claim.release();
    } catch (error) {
      claim?.release();
      wanted.askAt = Date.now() + limits.tellMs;
      onFailure(error);
    } finally {
      wanted.isAsking = false;
    }
  }

  async #isNeeded({ roomName, users, isLeftBehind }: Wanted): Promise<boolean> {
    if (!this.#wanted.has(roomName)) return false;
    return !isLeftBehind || users.length > 0 || this.#around.hasPeople(roomName);
  }

  #tellNowAndThen(wanted: Wanted, isOpen: boolean): void {
    const now = Date.now();
    if (now - wanted.toldAt < this.#around.limits.tellMs) return;
    wanted.toldAt = now;
    this.#tellWanted(wanted, isOpen);
  }

  #tellWanted({ roomName, agent, holder, users }: WantedRoom, isOpen: boolean): void {
    this.#around.sharedState.tell(TOPIC, { roomName, agent, holder, users, isOpen });
  }
}

const isAwaited = ({ people, expected }: HeldRoom, identity: string) =>
  people.includes(identity) || expected.includes(identity);
