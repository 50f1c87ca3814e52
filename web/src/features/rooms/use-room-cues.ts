import { useEffect, useRef } from 'react';
import { useSoundCues } from '#web/lib/loudspeaker/sound-cues';
import type { LiveRoomState } from './connection/room-state.ts';

/** Plays sounds for joining, leaving and muting. */
export function useRoomCues({ room, muted, switching }: LiveRoomState): void {
  const play = useSoundCues();
  const known = useRef({ room, muted });
  useEffect(() => {
    // While the microphone is being switched, its state is not final.
    if (switching) return;
    const before = known.current;
    known.current = { room, muted };
    if (room !== before.room) play(room === null ? 'ended' : 'joined');
    else if (room !== null && muted !== before.muted) play(muted ? 'muted' : 'unmuted');
  }, [room, muted, switching, play]);
}
