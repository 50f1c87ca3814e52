/** Opus' comfort noise stays below; a quiet voice is well above. */
const AUDIBLE = 0.01;
const FRAME_MS = 10;

/** Whether a frame of sound, -1 to 1, is heard. */
export function isAudible(frame: Float32Array): boolean {
  let power = 0;
  for (const sample of frame) power += sample ** 2;
  return Math.sqrt(power / frame.length) > AUDIBLE;
}

/** Milliseconds of a sound until its first audible frame of 10 ms is over; null where nothing of it is heard. */
export function firstAudibleMs(samples: Float32Array, sampleRate: number): number | null {
  const length = (FRAME_MS * sampleRate) / 1000;
  for (let start = 0; start + length <= samples.length; start += length)
    if (isAudible(samples.subarray(start, start + length))) return ((start + length) * 1000) / sampleRate;
  return null;
}
