import { useCallback, useEffect, useRef } from 'react';
import { logProblem } from '#web/lib/log';
import { usePreferences } from '#web/lib/server/preferences';
import type { SoundContext, SoundNode } from './sound-context.ts';

type Cue = 'joined' | 'muted' | 'unmuted' | 'ended';

/** A sine that is struck and dies away. Hertz, seconds from the cue's beginning, seconds until it is gone. */
interface Note {
  hertz: number;
  at: number;
  length: number;
}

/** Up for what begins, down for what ends; on and off of the microphone are shorter and lower. Fifths and fourths. */
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

/** Peak of a note against full scale: -26 dB, under speech and over the room. */
const LEVEL = 0.05;
/** Rises this fast, in seconds: slower than a click, faster than anybody hears. */
const ATTACK = 0.008;
/** A cue that could not sound within this time says something that is over. */
const LATE_MS = 300;
/** How long the audio device is held open for the next cue. */
const IDLE_MS = 2_000;

/** The part of the Web Audio API that cues need. */
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
 * Plays short, soft sounds made on the spot: nothing is fetched. A browser that forbids sound, or has none, stays quiet.
 * @param createContext called for the first cue, once
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

/** Plays a cue whatever is settled. Never throws. */
export function playCue(cue: Cue): void {
  void play(cue);
}

/** Plays cues for those who have not switched them off. The function stays the same while settings change. */
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
