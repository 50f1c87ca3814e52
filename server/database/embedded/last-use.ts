import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { VERSION } from '#server/lib/version';

/*
 * The first line of PG_VERSION names PostgreSQL's major version, and PostgreSQL reads only that. The second
 * line names the newest version of Sigma that has used the directory. Older versions of Sigma take a file of
 * two lines for another PostgreSQL's, so they refuse the directory instead of writing what newer ones cannot
 * read.
 */
const FILE = 'PG_VERSION';

interface LastUse {
  /** PostgreSQL's major version; empty where the file is missing. */
  postgres: string;
  /** The newest version of Sigma; null if it predates this record. */
  sigma: string | null;
}

/** The versions that have used a PostgreSQL data directory. */
export async function lastUseOf(directory: string): Promise<LastUse> {
  const text = await readFile(join(directory, FILE), 'utf8').catch(() => '');
  const [postgres = '', sigma = ''] = text.split('\n');
  return {
    postgres: postgres.trim(),
    sigma: /^Sigma (\d+\.\d+\.\d+(?:[-+]\S*)?)$/.exec(sigma.trim())?.[1] ?? null,
  };
}

/** Records that this version has used a directory, unless a newer one has. Atomic. */
export async function noteUse(directory: string): Promise<void> {
  const { postgres, sigma } = await lastUseOf(directory);
  if (sigma !== null && !isNewer(VERSION, sigma)) return;
  const path = join(directory, FILE);
  const draft = `${path}.new`;
  try {
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(`${postgres}\nSigma ${VERSION}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}

/** Semantic version order: a pre-release comes before its release. */
export function isNewer(version: string, than = VERSION): boolean {
  const [release, preRelease] = partsOf(version);
  const [otherRelease, otherPreRelease] = partsOf(than);
  const order = byNumbers(release, otherRelease);
  if (order !== 0) return order > 0;
  if (preRelease === '' || otherPreRelease === '') return preRelease === '' && otherPreRelease !== '';
  return byNumbers(preRelease, otherPreRelease) > 0;
}

function partsOf(version: string): [release: string, preRelease: string] {
  const at = version.indexOf('-');
  return at < 0 ? [version, ''] : [version.slice(0, at), version.slice(at + 1)];
}

const byNumbers = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true });
