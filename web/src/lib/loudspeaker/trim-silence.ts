/** Position of the sound in a clip, in seconds from its start. */
export interface SoundSpan {
  startsAt: number;
  length: number;
}

const WINDOW_SECONDS = 0.005;
/** −48 dB: above a codec's noise, below a soft consonant. */
const SILENT_RMS = 0.004;
/** Kept before the first sound, so that no consonant loses its attack. */
const LEAD_SECONDS = 0.02;
/** Kept after the last sound: the breath between two sentences. */
const TAIL_SECONDS = 0.22;

/**
 * Finds the sound between the silence at a clip's edges (encoder padding, the synthesiser's own pauses), so
 * that clips played end to end pause as a speaker does.
 * @param samples one channel, −1 to 1; an entirely silent clip keeps its length
 */
export function findSound(samples: Float32Array, sampleRate: number): SoundSpan {
  const whole = samples.length / sampleRate;
  const size = Math.max(1, Math.round(WINDOW_SECONDS * sampleRate));
  const windows = Math.floor(samples.length / size);
  let first = 0;
  while (first < windows && isSilent(samples, first * size, size)) first++;
  if (first === windows) return { startsAt: 0, length: whole };
  let last = windows - 1;
  while (last > first && isSilent(samples, last * size, size)) last--;
  const startsAt = Math.max(0, (first * size) / sampleRate - LEAD_SECONDS);
  const endsAt = Math.min(whole, ((last + 1) * size) / sampleRate + TAIL_SECONDS);
  return { startsAt, length: endsAt - startsAt };
}

function isSilent(samples: Float32Array, from: number, size: number): boolean {
  let sum = 0;
  for (let i = from; i < from + size; i++) sum += (samples[i] ?? 0) ** 2;
  return Math.sqrt(sum / size) < SILENT_RMS;
}
