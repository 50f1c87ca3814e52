import { LRUCache } from 'lru-cache';
import type { SileroFrames } from '#server/engines/silero-frames';
import { keyOf } from './key-of.ts';
import { FRAME } from './pieces.ts';

/** A second's worth; then other requests get their turn. */
const FRAMES_IN_A_ROW = 32;
/** Callers whose growing recording is remembered; recordings beyond a minute, in samples, are not. */
const KEPT = 64;
const LONGEST_THAT_GROWS = 60 * 16_000;

interface Searched {
  /** Detector with the state after the searched sound. */
  frames: SileroFrames;
  speech: boolean[];
  key: string;
}

/**
 * Finds speech in recordings. If a recording extends its caller's last one, only the new part is searched.
 */
export class SpeechFinder {
  readonly #open: () => SileroFrames;
  readonly #searched = new LRUCache<string, Searched>({ max: KEPT });

  /** @param open opens a new stream of the detector */
  constructor(open: () => SileroFrames) {
    this.#open = open;
  }

  /**
   * @param samples at 16 kHz
   * @returns voice activity of each whole frame
   * @throws the signal's reason
   */
  async find(samples: Float32Array, caller: string, signal: AbortSignal): Promise<boolean[]> {
    const begun = this.#takeBeginning(samples, caller);
    const frames = begun?.frames ?? this.#open();
    const speech = begun?.speech ?? [];
    for (let n = 1, at = speech.length * FRAME; at + FRAME <= samples.length; at += FRAME, n++) {
      if (n % FRAMES_IN_A_ROW === 0) {
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
      }
      speech.push(await frames.accept(samples.slice(at, at + FRAME)));
    }
    if (samples.length <= LONGEST_THAT_GROWS)
      this.#searched.set(caller, { frames, speech, key: keyOf(searchedPart(samples, speech)) });
    return [...speech];
  }

  /**
   * Takes the stored state for this recording's beginning. It is removed meanwhile, because the detector's
   * state changes.
   */
  #takeBeginning(samples: Float32Array, caller: string): Searched | null {
    const known = this.#searched.get(caller);
    if (!known) return null;
    this.#searched.delete(caller);
    return keyOf(searchedPart(samples, known.speech)) === known.key ? known : null;
  }
}

const searchedPart = (samples: Float32Array, speech: readonly boolean[]) =>
  samples.subarray(0, speech.length * FRAME);
