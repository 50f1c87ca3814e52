import process from 'node:process';

/** Length ratio of the long text to the short one. */
const LONGER = 4;
/** Time ratio above which growth is more than linear: quadratic growth would give 16. */
const FASTER = 8;
/** Divisor of the known-slow pattern's time: anything quicker is fine, whatever the machine and its load. */
const SHARE = 8;
/** This many times the known-slow pattern's time is too long in any case. */
const AT_MOST = 4;
/** Retries of an apparent slowness: another process may have taken the time. */
const ATTEMPTS = 6;

/**
 * Whether a function takes long for a long text, and more than in proportion to its length, or far too long
 * in any case. Measures processor time against a pattern with known growth, so the result does not depend on
 * the machine or its load.
 */
export function growsTooFast(run: (text: string) => unknown, text: string): boolean {
  // With the same end: an unexpected last character makes a pattern fail.
  const short = text.slice(0, text.length / LONGER - 1) + text.slice(-1);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const long = timeOf(() => run(text));
    if (long < slow(text.length) / SHARE) return false;
    const isBearable = long < slow(text.length) * AT_MOST;
    if (attempt > 0 && isBearable && long < timeOf(() => run(short)) * FASTER) return false;
  }
  return true;
}

const measured = new Map<number, number>();

/** Time of a pattern with quadratic growth. */
function slow(length: number): number {
  const known = measured.get(length);
  if (known !== undefined) return known;
  const spaces = ' '.repeat(length);
  const time = Math.min(...[1, 2, 3].map(() => timeOf(() => / +x/.test(spaces))));
  measured.set(length, time);
  return time;
}

/** Processor time in microseconds. */
function timeOf(run: () => unknown): number {
  const before = process.cpuUsage();
  try {
    run();
  } catch {
    // A rejected text was still read.
  }
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
