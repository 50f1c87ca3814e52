import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerOptions } from 'socket.io';
import type { z } from 'zod';
import type { LimiterFactory } from '#server/lib/rate-limits';
import type { EngineStatus } from '#shared/status';

/** One of the few places that there are of something; kept until it is released, or this process is gone. */
export interface Seat {
  /** Aborts when somebody else has it: the state was away, or this process stood still, for longer than a lease. */
  readonly lost: AbortSignal;
  release(): void;
}

/**
 * What the instances of an installation have to know of each other beside the database: nothing in it has to outlive all
 * of them. While it is away each instance goes on with what it knows itself, and nothing here rejects for that.
 */
export interface SharedState {
  /** Whether other instances share it, or it is this process's own. */
  readonly isShared: boolean;
  status(): EngineStatus;
  /** Counters that all instances count in. */
  readonly limiters: LimiterFactory;
  /**
   * Takes one of the seats of this name; with one seat in all, a claim. An instance that has gone leaves its seats free
   * within `LEASE_MS`, one whose process was killed within a beat and a half.
   * @param max how many there are, the same from every instance
   * @returns null when all are taken
   */
  take(name: string, max: number): Promise<Seat | null>;
  /** Tells the other instances, as soon as they can be reached now; one that cannot is not told later. Payloads are JSON. */
  tell(topic: string, payload: unknown): void;
  /**
   * Hears what other instances tell. What does not fit the schema, as from another version, is passed over.
   * @param listener must not throw
   */
  hear<T>(topic: string, schema: z.ZodType<T>, listener: (payload: T) => void): void;
  /** Calls `listener` when others may have told something that was not heard: whoever hears looks for themselves. */
  onMissed(listener: () => void): void;
  /** How Socket.IO reaches the sockets of other instances; absent where there are none. */
  readonly socketAdapter?: NonNullable<ServerOptions['adapter']>;
  /**
   * Where it is on a server: signs in there by the password in this address when it connects next; a connection that stands
   * stays.
   * @returns whether the address leads to the same server, as the same user
   */
  takeUrl?(url: string): boolean;
  close(): Promise<void>;
}

/**
 * Waits until the only seat of this name is ours: until another instance that has it is done with it, or gone.
 * @throws the signal's reason
 */
export async function untilItsOurs(
  sharedState: Pick<SharedState, 'take'>,
  name: string,
  signal: AbortSignal,
): Promise<Seat> {
  for (;;) {
    signal.throwIfAborted();
    const seat = await sharedState.take(name, 1);
    if (seat && !signal.aborted) return seat;
    seat?.release();
    await sleep(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {});
  }
}

/** How much later than it could be somebody comes to a seat they wait for; each look is a question. */
const LOOK_AGAIN_MS = 250;
/** How long seats of an instance that has gone stay taken, in milliseconds. */
export const LEASE_MS = 4_000;
