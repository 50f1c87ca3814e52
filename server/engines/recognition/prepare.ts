const FRAME = 512;
/** A recording whose loud tenth is quieter than this (root mean square) is made louder before it is heard. */
const QUIET = 0.03;
const TARGET = 0.1;
const MOST_GAIN = 32;
/**
 * Silence before and after a piece, in samples, best first: 0.1 s. Where the recognizer runs in circles, as it may on spelled
 * digits, another margin mostly helps.
 */
export const MARGINS = [1_600, 3_200, 0] as const;

/**
 * Makes a quiet recording louder, by doublings so that a growing one is changed alike. Measured on sentences 30 dB too quiet:
 * 8 to 10 % of the words wrong without it, 1 % with it; the detector misses what is quiet, the recognizer drops words.
 * @returns the same samples where they are loud enough
 */
export function madeAudible(samples: Float32Array): Float32Array {
  const levels: number[] = [];
  for (let at = 0; at + FRAME <= samples.length; at += FRAME) {
    let energy = 0;
    for (let index = at; index < at + FRAME; index++) energy += (samples[index] ?? 0) ** 2;
    levels.push(Math.sqrt(energy / FRAME));
  }
  const loud = levels.sort((a, b) => a - b)[Math.floor(levels.length * 0.9)] ?? 0;
  if (loud === 0 || loud >= QUIET) return samples;
  const gain = Math.min(MOST_GAIN, 2 ** Math.floor(Math.log2(TARGET / loud)));
  return samples.map((sample) => Math.max(-1, Math.min(1, sample * gain)));
}

/**
 * Gives a piece `margin` samples of perfect silence at both ends. Measured on sentences cut tight: 6 % of the words wrong without
 * it, 1 % with it; without it Moonshine often says a sentence twice.
 */
export function withMargins(piece: Float32Array, margin: number): Float32Array {
  const padded = new Float32Array(piece.length + 2 * margin);
  padded.set(piece, margin);
  return padded;
}
