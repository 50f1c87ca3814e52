import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerOptions } from 'socket.io';
import type { z } from 'zod';
import type { LimiterFactory } from '#server/lib/rate-limits';
import type { EngineStatus } from '#shared/status';

/** One of a limited number of places; held until it is released or this process ends. */
export interface Seat {
  /**
   * Aborts when the seat was lost: the state was away, or this process stood still, for longer than a lease.
   */
  readonly lost: AbortSignal;
  release(): void;
}

/**
 * State that instances of an installation share beside the database; none of it has to outlive all of them.
 * While it is away, each instance continues with its own knowledge, and no method rejects for that.
 */
export interface SharedState {
  /** Whether other instances share it; false if it belongs to this process only. */
  readonly isShared: boolean;
  status(): EngineStatus;
  /** Counters shared by all instances. */
  readonly limiters: LimiterFactory;
  /**
   * Takes one of the seats of this name; with one seat in total, an exclusive claim. Seats of an instance
   * that is gone are free within `LEASE_MS`, and within a beat and a half if its process was killed.
   * @param max number of seats, the same in every instance
   * @returns null when all are taken
   */
  take(name: string, max: number): Promise<Seat | null>;
  /** Sends to all other instances that can be reached now; the others miss it. Payloads are JSON. */
  tell(topic: string, payload: unknown): void;
  /**
   * Subscribes to messages of other instances. Messages that do not fit the schema, e.g. from another
   * version, are ignored.
   * @param listener must not throw
   */
  hear<T>(topic: string, schema: z.ZodType<T>, listener: (payload: T) => void): void;
  /** Calls `listener` when messages may have been missed, so that subscribers can check for themselves. */
  onMissed(listener: () => void): void;
  /** Socket.IO's adapter to sockets of other instances; absent without other instances. */
  readonly socketAdapter?: NonNullable<ServerOptions['adapter']>;
  /**
   * For state on a server: uses the password in this address for new connections; an open connection stays.
   * @returns whether the address leads to the same server, as the same user
   */
  takeUrl?(url: string): boolean;
  close(): Promise<void>;
}

/**
 * Waits until the only seat of this name is ours, i.e. released or lost by another instance.
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

/**
 * Interval of attempts in milliseconds: the longest delay after the seat is free; each attempt is a request.
 */
const LOOK_AGAIN_MS = 250;
/** How long seats of a lost instance stay taken, in milliseconds. */
export const LEASE_MS = 4_000;
