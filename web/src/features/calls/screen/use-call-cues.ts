import { useEffect, useRef } from 'react';
import { useSoundCues } from '#web/lib/loudspeaker/sound-cues';
import type { CallState } from '../state/call-state.ts';

/** Plays sounds at the start and end of the call. The microphone gets none, because it would pick it up. */
export function useCallCues({ conversationId, ended }: CallState): void {
  const play = useSoundCues();
  const isOn = conversationId !== null && !ended;
  const was = useRef(isOn);
  useEffect(() => {
    if (isOn === was.current) return;
    was.current = isOn;
    play(isOn ? 'joined' : 'ended');
  }, [isOn, play]);
}
