import { type RefObject, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { logProblem } from './log';

export type ClipPhase = 'stopped' | 'loading' | 'playing' | 'failed';

export interface AudioClipControl {
  phase: ClipPhase;
  /** Seconds from the beginning. */
  at: number;
  /** Seconds; null until enough of it has come. */
  length: number | null;
  speed: number;
  /** Plays or pauses; after a failure, tries again. */
  toggle(): void;
  seek(seconds: number): void;
  setSpeed(speed: number): void;
  /** To be spread on an <audio> element. */
  element: {
    ref: RefObject<HTMLAudioElement | null>;
    src: string;
    preload: 'none';
    onLoadedMetadata: (event: Media) => void;
    onDurationChange: (event: Media) => void;
    onTimeUpdate: (event: Media) => void;
    onPlaying: () => void;
    onWaiting: () => void;
    onPause: (event: Media) => void;
    onEnded: (event: Media) => void;
    onError: () => void;
  };
}

type Media = SyntheticEvent<HTMLAudioElement>;

/** Only one recording is heard at a time. */
let heard: HTMLAudioElement | null = null;
/** How fast the listener likes it, for as long as the page is open. */
let likedSpeed = 1;

/**
 * Plays a recording on request.
 * @param link may be signed anew while it plays: that goes on, and the newer link is taken when it is needed
 */
export function useAudioClip(link: string): AudioClipControl {
  const ref = useRef<HTMLAudioElement>(null);
  const [src, setSrc] = useState(link);
  const [phase, setPhase] = useState<ClipPhase>('stopped');
  const [at, setAt] = useState(0);
  const [length, setLength] = useState<number | null>(null);
  const [speed, setSpeed] = useState(likedSpeed);
  const wantsToPlay = useRef(false);
  /** Recorders that stream write no length: the browser finds it by going to the end once. */
  const isMeasuring = useRef(false);

  if (src !== link && (phase === 'failed' || length === null)) setSrc(link);

  useEffect(() => {
    const media = ref.current;
    return () => {
      media?.pause();
      if (heard === media) heard = null;
    };
  }, []);

  const play = (media: HTMLAudioElement) => {
    if (heard !== media) heard?.pause();
    heard = media;
    media.defaultPlaybackRate = speed;
    media.playbackRate = speed;
    media.play().catch((error: unknown) => {
      // Pausing before it began, and a source that failed, are told by events of their own.
      if (error instanceof DOMException && ['AbortError', 'NotSupportedError'].includes(error.name)) return;
      wantsToPlay.current = false;
      setPhase('stopped');
      logProblem('a recording did not play', error);
    });
  };

  const learnLength = (media: HTMLAudioElement) => {
    if (Number.isFinite(media.duration)) {
      setLength(media.duration);
      if (!isMeasuring.current) return;
      isMeasuring.current = false;
      media.currentTime = 0;
      setAt(0);
      if (wantsToPlay.current) play(media);
    } else if (media.duration === Number.POSITIVE_INFINITY && !isMeasuring.current) {
      isMeasuring.current = true;
      media.currentTime = Number.MAX_SAFE_INTEGER;
    }
  };

  return {
    phase,
    at,
    length,
    speed,

    toggle() {
      const media = ref.current;
      if (!media) return;
      if (wantsToPlay.current) {
        wantsToPlay.current = false;
        media.pause();
        setPhase('stopped');
        return;
      }
      wantsToPlay.current = true;
      setPhase('loading');
      if (phase === 'failed') media.load();
      play(media);
    },

    seek(seconds) {
      const media = ref.current;
      if (!media || length === null) return;
      const target = Math.min(Math.max(0, seconds), length);
      media.currentTime = target;
      setAt(target);
    },

    setSpeed(next) {
      likedSpeed = next;
      setSpeed(next);
      if (ref.current) ref.current.playbackRate = next;
    },

    element: {
      ref,
      src,
      preload: 'none',
      onLoadedMetadata: ({ currentTarget }) => learnLength(currentTarget),
      onDurationChange: ({ currentTarget }) => {
        if (currentTarget.readyState > 0) learnLength(currentTarget);
      },
      onTimeUpdate: ({ currentTarget }) => {
        if (!isMeasuring.current) setAt(currentTarget.currentTime);
      },
      onPlaying: () => setPhase('playing'),
      onWaiting: () => {
        if (wantsToPlay.current) setPhase('loading');
      },
      onPause: ({ currentTarget }) => {
        // It also pauses by itself at its end, and when it is measured.
        if (!currentTarget.paused || currentTarget.ended || isMeasuring.current) return;
        wantsToPlay.current = false;
        setPhase('stopped');
      },
      onEnded: ({ currentTarget }) => {
        if (isMeasuring.current || !currentTarget.ended) return;
        wantsToPlay.current = false;
        setPhase('stopped');
        currentTarget.currentTime = 0;
        setAt(0);
      },
      onError: () => {
        wantsToPlay.current = false;
        isMeasuring.current = false;
        setPhase('failed');
      },
    },
  };
}
