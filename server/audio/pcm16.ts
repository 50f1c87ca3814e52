/** Sound as most wires carry it: 16-bit signed samples, little-endian. */

const SCALE = 32_768;

/** @param samples -1 to 1; what exceeds that is clipped @returns two bytes for each sample */
export function toPcm16(samples: Float32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(samples.length * 2);
  const view = new DataView(bytes.buffer);
  for (const [index, sample] of samples.entries())
    view.setInt16(index * 2, Math.max(-SCALE, Math.min(SCALE - 1, Math.round(sample * SCALE))), true);
  return bytes;
}

/**
 * @param bytes whole samples, at any place of their buffer
 * @returns the samples, -1 to 1
 * @throws RangeError when half a sample is left over
 */
export function fromPcm16(bytes: Uint8Array): Float32Array<ArrayBuffer> {
  if (bytes.byteLength % 2 !== 0) throw new RangeError('PCM16 comes in whole samples of two bytes.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Float32Array(bytes.byteLength / 2);
  for (let index = 0; index < samples.length; index++)
    samples[index] = view.getInt16(index * 2, true) / SCALE;
  return samples;
}
