import { useEffect, useRef } from 'react';
import { useSoundCues } from '#web/lib/loudspeaker/sound-cues';
import type { CallState } from '../state/call-state.ts';

/** Lets one hear that the call has begun and that it is over. The microphone makes no sound: it would hear it. */
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
