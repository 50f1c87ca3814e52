/** Cosine of two unit vectors; 0 if one is missing. */
export const dot = (one: Float32Array | undefined, other: Float32Array | undefined): number =>
  one?.reduce((sum, x, n) => sum + x * (other?.[n] ?? 0), 0) ?? 0;
