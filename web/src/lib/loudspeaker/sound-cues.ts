import { useCallback, useEffect, useRef } from 'react';
import { logProblem } from '#web/lib/log';
import { usePreferences } from '#web/lib/server/preferences';
import type { SoundContext, SoundNode } from './sound-context.ts';

type Cue = 'joined' | 'muted' | 'unmuted' | 'ended';

/** A sine that decays. Hertz, seconds from the cue's beginning, seconds of decay. */
interface Note {
  hertz: number;
  at: number;
  length: number;
}

/**
 * Rising for beginnings, falling for endings; those of the microphone are shorter and lower. Fifths and
 * fourths.
 */
const cues: Record<Cue, readonly Note[]> = {
  joined: [
    { hertz: 659.26, at: 0, length: 0.22 },
    { hertz: 987.77, at: 0.09, length: 0.3 },
  ],
  ended: [
    { hertz: 783.99, at: 0, length: 0.22 },
    { hertz: 523.25, at: 0.1, length: 0.34 },
  ],
  muted: [
    { hertz: 587.33, at: 0, length: 0.1 },
    { hertz: 440, at: 0.06, length: 0.14 },
  ],
  unmuted: [
    { hertz: 440, at: 0, length: 0.1 },
    { hertz: 587.33, at: 0.06, length: 0.14 },
  ],
};

/** Peak relative to full scale: -26 dB, below speech and above the room. */
const LEVEL = 0.05;
/** Attack in seconds: slower than a click, faster than audible. */
const ATTACK = 0.008;
/** A cue that could not sound within this time is out of date. */
const LATE_MS = 300;
/** How long the audio device stays open for the next cue. */
const IDLE_MS = 2_000;

/** The part of the Web Audio API that cues use. */
export interface CueContext
  extends Pick<SoundContext, 'currentTime' | 'state' | 'destination' | 'resume' | 'createGain'> {
  suspend(): Promise<void>;
  createOscillator(): SoundNode & {
    readonly frequency: { setValueAtTime(value: number, time: number): unknown };
    start(when: number): void;
    stop(when: number): void;
  };
}

/**
 * Plays short, soft, generated sounds: nothing is fetched. Stays quiet if the browser blocks or lacks sound.
 * @param createContext called once, for the first cue
 */
export function createCuePlayer(createContext: () => CueContext): (cue: Cue) => Promise<void> {
  let context: CueContext | null = null;
  let idle: ReturnType<typeof setTimeout> | undefined;

  return async (cue) => {
    try {
      context ??= createContext();
      const output = context;
      clearTimeout(idle);
      const askedAt = performance.now();
      if (output.state !== 'running') await output.resume();
      if (performance.now() - askedAt > LATE_MS) return;
      for (const note of cues[cue]) strike(output, note);
      idle = setTimeout(() => void output.suspend().catch(() => {}), IDLE_MS);
    } catch (error) {
      logProblem('A cue could not be played.', error);
    }
  };
}

function strike(context: CueContext, { hertz, at, length }: Note): void {
  const start = context.currentTime + at;
  const source = context.createOscillator();
  const gain = context.createGain();
  source.frequency.setValueAtTime(hertz, start);
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(LEVEL, start + ATTACK);
  gain.gain.linearRampToValueAtTime(LEVEL / 4, start + length / 2);
  gain.gain.linearRampToValueAtTime(0, start + length);
  source.connect(gain);
  gain.connect(context.destination);
  source.start(start);
  source.stop(start + length);
}

const play = createCuePlayer(() => new AudioContext({ latencyHint: 'interactive' }));

/** Plays a cue whatever the settings. Never throws. */
export function playCue(cue: Cue): void {
  void play(cue);
}

/** Plays cues unless the user has switched them off. The function's identity is stable. */
export function useSoundCues(): (cue: Cue) => void {
  const { preferences } = usePreferences();
  const isOn = useRef(preferences.soundCues);
  useEffect(() => {
    isOn.current = preferences.soundCues;
  }, [preferences.soundCues]);
  return useCallback((cue) => {
    if (isOn.current) playCue(cue);
  }, []);
}
