import { ConnectionState, type Room } from 'livekit-client';

/** Specification, section 9. */
const CHECK_EVERY_MS = 2_000;
const FAILURES_TO_GIVE_UP = 3;

export interface ReconnectCheck {
  stop(): void;
}

/**
 * Watches a room that claims to be connected while its transports are not: after three such checks in a row, gives it
 * up. A reconnecting room is left alone.
 */
export function createReconnectCheck(
  room: Pick<Room, 'state' | 'engine'>,
  giveUp: () => void,
): ReconnectCheck {
  let failures = 0;
  const timer = setInterval(() => {
    const mismatch = room.state === ConnectionState.Connected && !room.engine?.verifyTransport();
    failures = mismatch ? failures + 1 : 0;
    if (failures < FAILURES_TO_GIVE_UP) return;
    clearInterval(timer);
    giveUp();
  }, CHECK_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
