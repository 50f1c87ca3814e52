/** Opus' comfort noise is below; a quiet voice is well above. */
const AUDIBLE = 0.01;
const FRAME_MS = 10;

/** Whether a frame of sound, -1 to 1, is audible. */
export function isAudible(frame: Float32Array): boolean {
  let power = 0;
  for (const sample of frame) power += sample ** 2;
  return Math.sqrt(power / frame.length) > AUDIBLE;
}

/** Milliseconds until the end of the first audible frame of 10 ms; null if nothing is audible. */
export function firstAudibleMs(samples: Float32Array, sampleRate: number): number | null {
  const length = (FRAME_MS * sampleRate) / 1000;
  for (let start = 0; start + length <= samples.length; start += length)
    if (isAudible(samples.subarray(start, start + length))) return ((start + length) * 1000) / sampleRate;
  return null;
}
