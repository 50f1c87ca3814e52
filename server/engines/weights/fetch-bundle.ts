import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '#server/lib/error-code';
import type { Bundle } from './contract.ts';
import { type DownloadOptions, downloadFile } from './download.ts';
import { type NpmSettings, readNpmSettings } from './npm-client.ts';
import { isWhole, rememberedChecksums, writeStamp } from './stamp.ts';
import { layOut } from './unpack.ts';

/** Progress of a fetch. `received` counts downloaded bytes, including those of earlier attempts. */
export type FetchProgress =
  /** `total`: 0 while unknown. */
  { phase: 'downloading'; received: number; total: number } | { phase: 'unpacking' };

export interface FetchOptions extends Pick<DownloadOptions, 'signal' | 'pack' | 'stallMs' | 'slowest'> {
  onProgress: (progress: FetchProgress) => void;
  /** Absent: read from the npm client. */
  npm?: NpmSettings;
}

/**
 * Fetches, verifies and installs a bundle, so that its folder is either complete or absent. Must not run
 * twice at once for a bundle; the caller holds its lock.
 * @param workDir scratch folder on the disk of `folder`; keeps partial downloads when the fetch fails
 * @throws FetchFailure with the reason; system errors of disk and network; the signal's reason
 */
export async function fetchBundle(
  bundle: Bundle,
  folder: string,
  workDir: string,
  options: FetchOptions,
): Promise<void> {
  if (await isWhole(folder, bundle)) return;
  await mkdir(workDir, { recursive: true });
  await removeLeftovers(workDir);
  const npm = options.npm ?? (await readNpmSettings(options.signal));
  const remembered = await rememberedChecksums(folder, bundle);
  const came: { path: string; checksum: string }[] = [];
  let before = 0;
  const later = (index: number) =>
    bundle.packages.slice(index + 1).reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  for (const [index, pkg] of bundle.packages.entries()) {
    const start = before;
    came.push(
      await downloadFile(pkg, workDir, {
        ...options,
        npm,
        remembered: remembered[index] ?? null,
        onBytes: (bytes, total) => {
          const received = start + bytes;
          options.onProgress({
            phase: 'downloading',
            received,
            total: total && start + total + later(index),
          });
          before = received;
        },
      }),
    );
  }
  options.onProgress({ phase: 'unpacking' });
  const fresh = join(workDir, 'unpacked');
  await mkdir(fresh);
  for (const [index, pkg] of bundle.packages.entries()) {
    const file = came[index]?.path;
    if (file) await layOut(file, pkg, fresh, workDir, options.signal);
  }
  await writeStamp(
    fresh,
    bundle,
    came.map(({ checksum }) => checksum),
  );
  await replaceFolder(fresh, folder, workDir);
  await rm(workDir, { recursive: true, force: true });
}

/** Deletes leftovers of a killed process; only downloads are worth keeping. */
async function removeLeftovers(workDir: string): Promise<void> {
  for (const name of await readdir(workDir))
    if (!/\.(?:tgz|part)$/.test(name)) await rm(join(workDir, name), { recursive: true, force: true });
}

/**
 * A rename is atomic; an existing folder is moved away first, since a rename does not replace a folder with
 * files.
 */
async function replaceFolder(fresh: string, folder: string, workDir: string): Promise<void> {
  const old = join(workDir, `old-${randomUUID()}`);
  await withPatience(() => rename(folder, old)).catch((error) => {
    if (!hasCode(error, 'ENOENT')) throw error;
  });
  await mkdir(dirname(folder), { recursive: true });
  await withPatience(() => rename(fresh, folder));
}

/** On Windows a virus scanner holds new files for a moment. */
async function withPatience(move: () => Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await move();
    } catch (error) {
      const busy = hasCode(error, 'EPERM') || hasCode(error, 'EBUSY') || hasCode(error, 'EACCES');
      if (!busy || attempt >= 5) throw error;
      await delay(100 * 2 ** attempt);
    }
  }
}

const hasCode = (error: unknown, code: string): boolean => codeOf(error) === code;
