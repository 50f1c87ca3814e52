import { createAudioAnalyser, type LocalAudioTrack, type RemoteAudioTrack } from 'livekit-client';
import { useEffect, useRef } from 'react';
import { logProblem } from '#web/lib/log';

/** Speech at full level fills the bar: the analyser's mean over all frequencies stays far below 1. */
const GAIN = 3;

/** The current loudness of a track, 0 to 1; read at every frame. 0 without a track. */
export function useTrackLevel(track: LocalAudioTrack | RemoteAudioTrack | null): () => number {
  const volume = useRef<() => number>(() => 0);
  useEffect(() => {
    if (!track) return;
    try {
      const analyser = createAudioAnalyser(track, { fftSize: 512, minDecibels: -80, maxDecibels: -20 });
      volume.current = () => Math.min(1, analyser.calculateVolume() * GAIN);
      return () => {
        volume.current = () => 0;
        void analyser.cleanup();
      };
    } catch (error) {
      logProblem('The level of a track cannot be shown.', error);
      return undefined;
    }
  }, [track]);
  return useRef(() => volume.current()).current;
}
