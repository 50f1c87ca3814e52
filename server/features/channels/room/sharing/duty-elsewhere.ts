import { v7 as uuidv7 } from 'uuid';
import type { SharedState } from '#server/engines/shared-state/contract';
import { type Duty, type HeldRoom, toldDutySchema } from './wire.ts';

interface DutySurroundings {
  sharedState: Pick<SharedState, 'tell' | 'hear' | 'status'>;
  /** An instance that has told nothing for so long is gone, in milliseconds. */
  silentMs: number;
}

interface Other {
  duty: Duty;
  heardAt: number;
}

const TOPIC = 'agents in rooms';

/**
 * What the other instances have told of their agents in rooms. It is how it was a moment ago: who may send an agent is
 * decided by the claim of a room.
 */
export class DutyElsewhere {
  readonly #around: DutySurroundings;
  readonly #instance = uuidv7();
  readonly #others = new Map<string, Other>();
  /** Since when others can be heard without a break. */
  #hearsSince = performance.now();

  constructor(around: DutySurroundings) {
    this.#around = around;
    around.sharedState.hear(TOPIC, toldDutySchema, ({ instance, ...duty }) =>
      this.#others.set(instance, { duty, heardAt: performance.now() }),
    );
  }

  tell(duty: Duty): void {
    this.#around.sharedState.tell(TOPIC, { ...duty, instance: this.#instance });
  }

  /** Whether what others tell comes here. While it does not, nobody is known to hold anything, and nobody to be gone. */
  get isKnown(): boolean {
    return this.#around.sharedState.status().state === 'ready';
  }

  /** The room, where another instance has an agent in it or on its way. */
  room(roomName: string): HeldRoom | null {
    return this.#rooms().find((room) => room.roomName === roomName) ?? null;
  }

  /** How long somebody would wait until they are understood in a room that another instance has, in milliseconds. */
  earsWaitMs(roomName: string): number | null {
    const holder = this.#duties().find(({ rooms }) => rooms.some((room) => room.roomName === roomName));
    return holder?.earsWaitMs ?? null;
  }

  /** In how many of their rooms but one a user is. */
  roomsWith(identity: string, roomName: string): number {
    return this.#rooms().filter((room) => room.roomName !== roomName && room.people.includes(identity))
      .length;
  }

  /** Their rooms but one in which a user is expected. */
  awaiting(identity: string, roomName: string): string[] {
    return this.#rooms()
      .filter((room) => room.roomName !== roomName && room.expected.includes(identity))
      .map((room) => room.roomName);
  }

  /** Rooms to which an agent of theirs was sent for a user. */
  heldFor(identity: string): HeldRoom[] {
    return this.#rooms().filter(({ holder }) => holder === identity);
  }

  /** Agents that all of them could still send, and how many of these are kept for accounts that have none. */
  get free(): { free: number; kept: number } {
    const duties = this.#duties();
    return {
      free: duties.reduce((sum, { free }) => sum + Math.max(0, free), 0),
      kept: duties.reduce((sum, { kept }) => sum + kept, 0),
    };
  }

  /** Forgets instances that have fallen silent. @returns the rooms that they leave behind */
  forgetGone(): HeldRoom[] {
    const now = performance.now();
    if (!this.isKnown) {
      this.#hearsSince = now;
      return [];
    }
    const gone = [...this.#others].filter(
      ([, { heardAt }]) => now - Math.max(heardAt, this.#hearsSince) > this.#around.silentMs,
    );
    for (const [instance] of gone) this.#others.delete(instance);
    return gone.flatMap(([, { duty }]) => duty.rooms);
  }

  #duties(): Duty[] {
    return this.isKnown ? [...this.#others.values()].map(({ duty }) => duty) : [];
  }

  #rooms(): HeldRoom[] {
    return this.#duties().flatMap(({ rooms }) => rooms);
  }
}
