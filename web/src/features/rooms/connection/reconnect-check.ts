import { ConnectionState, type Room } from 'livekit-client';

/** Specification, section 9. */
const CHECK_EVERY_MS = 2_000;
const FAILURES_TO_GIVE_UP = 3;

export interface ReconnectCheck {
  stop(): void;
}

/**
 * Watches a room that says it is connected although its transports are not: seen so three times in a row, it is given
 * up. A room that is reconnecting is left to do so.
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
