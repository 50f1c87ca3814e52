/** Milliseconds since 1970, and parts of one. */
export const now = (): number => performance.timeOrigin + performance.now();
