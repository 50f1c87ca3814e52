import { useEffect, useState, useSyncExternalStore } from 'react';
import { LiveRoom } from './live-room.ts';

/** A live room for as long as the screen stands; leaving the screen leaves the room. */
export function useLiveRoom() {
  const [room] = useState(() => new LiveRoom());
  const state = useSyncExternalStore(room.subscribe, room.getState);
  useEffect(() => () => room.leave(), [room]);
  return { room, state };
}
