import { useEffect, useState, useSyncExternalStore } from 'react';
import { LiveRoom } from './live-room.ts';

/** A live room while the screen is mounted; unmounting leaves the room. */
export function useLiveRoom() {
  const [room] = useState(() => new LiveRoom());
  const state = useSyncExternalStore(room.subscribe, room.getState);
  useEffect(() => () => room.leave(), [room]);
  return { room, state };
}
