import process from 'node:process';

/** How much longer the long text is than the short one. */
const LONGER = 4;
/** What takes so many times as long for a text that is `LONGER` grows faster than its text: the square would be 16 times. */
const FASTER = 8;
/** The share of what is known to be slow that nothing may take, whatever the machine and its load. */
const SHARE = 8;
/** So many times what is known to be slow is too long in any case, however it grows. */
const AT_MOST = 4;
/** So often what seems slow is tried again: another process may have taken the time. */
const ATTEMPTS = 6;

/**
 * Whether something takes much time for a long text, and more than in proportion to its length, or far too much in any case.
 * Measured in time of the processor, and beside a pattern of which it is known how it grows: nothing here depends on the
 * machine or on what else it does.
 */
export function growsTooFast(run: (text: string) => unknown, text: string): boolean {
  // With the same end: what nothing expects there makes a pattern fail.
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

/** What a pattern takes that grows by the square. */
function slow(length: number): number {
  const known = measured.get(length);
  if (known !== undefined) return known;
  const spaces = ' '.repeat(length);
  const time = Math.min(...[1, 2, 3].map(() => timeOf(() => / +x/.test(spaces))));
  measured.set(length, time);
  return time;
}

/** Time of the processor, in microseconds. */
function timeOf(run: () => unknown): number {
  const before = process.cpuUsage();
  try {
    run();
  } catch {
    // What is refused was read.
  }
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
