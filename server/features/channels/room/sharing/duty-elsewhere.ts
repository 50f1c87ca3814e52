import { v7 as uuidv7 } from 'uuid';
import type { SharedState } from '#server/engines/shared-state/contract';
import { type Duty, type HeldRoom, toldDutySchema } from './wire.ts';

interface DutySurroundings {
  sharedState: Pick<SharedState, 'tell' | 'hear' | 'status'>;
  /** An instance that is silent for so long counts as lost, in milliseconds. */
  silentMs: number;
}

interface Other {
  duty: Duty;
  heardAt: number;
}

const TOPIC = 'agents in rooms';

/**
 * The other instances' reports of their agents in rooms. They are a moment old: the claim of a room decides who sends
 * its agent.
 */
export class DutyElsewhere {
  readonly #around: DutySurroundings;
  readonly #instance = uuidv7();
  readonly #others = new Map<string, Other>();
  /** Since when messages have arrived without a break. */
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

  /** Whether messages arrive. While they do not, no instance is known to hold a room, and none to be lost. */
  get isKnown(): boolean {
    return this.#around.sharedState.status().state === 'ready';
  }

  /** The room, if another instance has an agent in it or on its way. */
  room(roomName: string): HeldRoom | null {
    return this.#rooms().find((room) => room.roomName === roomName) ?? null;
  }

  /** How long an utterance would wait to be recognised in another instance's room, in milliseconds. */
  earsWaitMs(roomName: string): number | null {
    const holder = this.#duties().find(({ rooms }) => rooms.some((room) => room.roomName === roomName));
    return holder?.earsWaitMs ?? null;
  }

  /** The number of their other rooms that a user is in. */
  roomsWith(identity: string, roomName: string): number {
    return this.#rooms().filter((room) => room.roomName !== roomName && room.people.includes(identity))
      .length;
  }

  /** Their other rooms in which a user is expected. */
  awaiting(identity: string, roomName: string): string[] {
    return this.#rooms()
      .filter((room) => room.roomName !== roomName && room.expected.includes(identity))
      .map((room) => room.roomName);
  }

  /** Rooms to which they sent an agent for a user. */
  heldFor(identity: string): HeldRoom[] {
    return this.#rooms().filter(({ holder }) => holder === identity);
  }

  /** Agents that all of them could still send, and how many of these are reserved for accounts without one. */
  get free(): { free: number; kept: number } {
    const duties = this.#duties();
    return {
      free: duties.reduce((sum, { free }) => sum + Math.max(0, free), 0),
      kept: duties.reduce((sum, { kept }) => sum + kept, 0),
    };
  }

  /** Forgets lost instances. @returns the rooms that they leave behind */
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
