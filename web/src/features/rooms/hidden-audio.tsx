import type { RemoteAudioTrack } from 'livekit-client';
import { useEffect, useRef } from 'react';

/** Plays a participant's voice, invisibly. */
export function HiddenAudio({ track }: { track: RemoteAudioTrack }) {
  const element = useRef<HTMLAudioElement>(null);
  useEffect(() => {
    const audio = element.current;
    if (!audio) return;
    track.attach(audio);
    return () => {
      track.detach(audio);
    };
  }, [track]);
  // biome-ignore lint/a11y/useMediaCaption: what is said comes as captions of the room.
  return <audio ref={element} autoPlay className="hidden" />;
}
