/** A line of a bench: the quantity and its figure. */
export const figure = (what: string, value: string): void => console.log(`${what.padEnd(44)} ${value}`);

/** "p50 120 ms   p95 240 ms   most 300 ms" of times in milliseconds. */
export function percentiles(times: readonly number[]): string {
  if (times.length === 0) return 'none';
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return `p50 ${at(0.5)} ms   p95 ${at(0.95)} ms   most ${at(1)} ms`;
}

/** "2.9 % (2 of 70)". */
export const share = (some: number, all: number): string =>
  `${((100 * some) / Math.max(1, all)).toFixed(1)} % (${some} of ${all})`;
