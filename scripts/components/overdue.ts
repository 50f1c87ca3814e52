import { compare, gt, minVersion, prerelease, satisfies } from 'semver';

const DAY_MS = 86_400_000;

type Severity = 'critical' | 'high' | 'moderate' | 'low';

/** Days after a fix is available, as SECURITY.md promises; the registry says "moderate" for medium. */
export const fixWithinDays: Readonly<Record<Severity, number>> = {
  critical: 3,
  high: 14,
  moderate: 60,
  low: 180,
};
/** Days for a new version of a library without known vulnerabilities. */
export const newVersionWithinDays = 180;

/** The used part of the registry's data on a library. */
interface Published {
  versions: Readonly<Record<string, { deprecated?: unknown; engines?: unknown }>>;
  /** Publication time of each version, in ISO 8601. */
  time: Readonly<Record<string, string>>;
}

/** A published vulnerability, as in the registry's audit. */
export interface Advisory {
  title: string;
  url: string;
  severity: Severity;
  /** The affected versions, as a range. */
  vulnerable_versions: string;
}

export interface Overdue {
  name: string;
  version: string;
  /** The version that should be in use, and since when. */
  newer: string;
  dueAt: Date;
  why: string;
}

interface Installed {
  name: string;
  version: string;
}

/**
 * Newer versions of the library that could be used, oldest first: stable, not deprecated, and compatible with
 * every Node.js that this product supports.
 * @param node the oldest supported Node.js, such as `20.19.0`
 */
function candidates({ version }: Installed, { versions }: Published, node: string): string[] {
  return Object.keys(versions)
    .filter((each) => gt(each, version) && prerelease(each) === null && !versions[each]?.deprecated)
    .filter((each) => runsOn(node, versions[each]?.engines))
    .sort(compare);
}

function runsOn(node: string, engines: unknown): boolean {
  const range = typeof engines === 'object' && engines && 'node' in engines ? engines.node : null;
  return typeof range !== 'string' || satisfies(node, range);
}

/** The newest version that has been available for longer than allowed; null if none is late. */
export function overdueVersion(
  installed: Installed,
  published: Published,
  { node, now }: { node: string; now: Date },
): Overdue | null {
  const late = candidates(installed, published, node).filter(
    (each) => dueAt(each, published, newVersionWithinDays) < now,
  );
  const [oldest, newest] = [late[0], late.at(-1)];
  if (!oldest || !newest) return null;
  const due = dueAt(oldest, published, newVersionWithinDays);
  return { ...installed, newer: newest, dueAt: due, why: 'a newer version' };
}

/** A vulnerability whose fix has been available for longer than allowed; null if none. */
export function overdueFix(
  installed: Installed,
  published: Published,
  advisory: Advisory,
  { node, now }: { node: string; now: Date },
): Overdue | null {
  const fix = candidates(installed, published, node).find(
    (each) => !satisfies(each, advisory.vulnerable_versions),
  );
  if (!fix) return null;
  const due = dueAt(fix, published, fixWithinDays[advisory.severity]);
  const why = `${advisory.severity}: ${advisory.title} (${advisory.url})`;
  return due < now ? { ...installed, newer: fix, dueAt: due, why } : null;
}

function dueAt(version: string, { time }: Published, days: number): Date {
  return new Date(Date.parse(time[version] ?? '') + days * DAY_MS);
}

/** The oldest Node.js in a range such as `>=20.19.0`. */
export function oldestNode(range: string): string {
  return minVersion(range)?.version ?? range;
}
