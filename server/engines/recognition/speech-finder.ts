import { LRUCache } from 'lru-cache';
import type { SileroFrames } from '#server/engines/silero-frames';
import { keyOf } from './key-of.ts';
import { FRAME } from './pieces.ts';

/** A second's worth; then other requests get their turn. */
const FRAMES_IN_A_ROW = 32;
/** Recordings that may grow, of as many callers; longer ones, in samples (a minute), do not. */
const KEPT = 64;
const LONGEST_THAT_GROWS = 60 * 16_000;

interface Searched {
  /** Knows what came before. */
  frames: SileroFrames;
  speech: boolean[];
  /** Of the sound that was searched. */
  key: string;
}

/** Finds speech in recordings. Of one that is a longer version of its caller's last one only the rest is searched. */
export class SpeechFinder {
  readonly #open: () => SileroFrames;
  readonly #searched = new LRUCache<string, Searched>({ max: KEPT });

  /** @param open a new stream for the detector */
  constructor(open: () => SileroFrames) {
    this.#open = open;
  }

  /**
   * @param samples at 16 kHz
   * @returns for every whole frame, whether somebody speaks in it
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

  /** What is known of its beginning. Nobody else has it meanwhile, since the detector keeps a state. */
  #takeBeginning(samples: Float32Array, caller: string): Searched | null {
    const known = this.#searched.get(caller);
    if (!known) return null;
    this.#searched.delete(caller);
    return keyOf(searchedPart(samples, known.speech)) === known.key ? known : null;
  }
}

const searchedPart = (samples: Float32Array, speech: readonly boolean[]) =>
  samples.subarray(0, speech.length * FRAME);
