/** Length and two 32-bit FNV-1a hashes of the samples: practically unique to the sound. */
export function keyOf(samples: Float32Array): string {
  const bits = new Uint32Array(samples.buffer, samples.byteOffset, samples.length);
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (const word of bits) {
    a = Math.imul(a ^ word, 0x01000193);
    b = Math.imul(b ^ (word >>> 7), 0x85ebca6b);
  }
  return `${samples.length}/${a >>> 0}/${b >>> 0}`;
}
