import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '#server/error-code';
import type { Bundle } from './bundles.ts';
import { downloadTarball } from './download.ts';
import { type NpmSettings, type npmPack, readNpmSettings } from './npm-client.ts';
import { isWhole, writeStamp } from './stamp.ts';
import { unpackTarball } from './unpack.ts';

/** How far a fetch is. `received` counts bytes over the network, those of earlier attempts included. */
export type FetchProgress = { phase: 'downloading'; received: number } | { phase: 'unpacking' };

export interface FetchOptions {
  signal: AbortSignal;
  onProgress: (progress: FetchProgress) => void;
  /** None: the npm client is asked. */
  npm?: NpmSettings;
  pack?: typeof npmPack;
  stallMs?: number;
  slowest?: number;
}

/**
 * Fetches, checks and lays out a bundle so that its folder is either whole or not there. Must not run twice at a time
 * for one bundle; the caller holds its lock.
 * @param workDir scratch folder on the disk of `folder`; keeps what has come when the fetch fails
 * @throws FetchFailure with the reason, system errors of disk and network, the signal's reason
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
  const tarballs: string[] = [];
  let before = 0;
  for (const pkg of bundle.packages) {
    const start = before;
    tarballs.push(
      await downloadTarball(pkg, workDir, {
        npm,
        signal: options.signal,
        onBytes: (bytes) => options.onProgress({ phase: 'downloading', received: start + bytes }),
        ...(options.pack ? { pack: options.pack } : {}),
        ...(options.stallMs ? { stallMs: options.stallMs } : {}),
        ...(options.slowest ? { slowest: options.slowest } : {}),
      }),
    );
    before += pkg.bytes;
  }
  options.onProgress({ phase: 'unpacking' });
  const fresh = join(workDir, 'unpacked');
  await mkdir(fresh);
  for (const [index, pkg] of bundle.packages.entries()) {
    const tarball = tarballs[index];
    if (tarball) await unpackTarball(tarball, pkg.layout, fresh, workDir, options.signal);
  }
  await writeStamp(fresh, bundle);
  await replaceFolder(fresh, folder, workDir);
  await rm(workDir, { recursive: true, force: true });
}

/** Whatever a killed process left unfinished; only tarballs are worth keeping. */
async function removeLeftovers(workDir: string): Promise<void> {
  for (const name of await readdir(workDir))
    if (!name.endsWith('.tgz')) await rm(join(workDir, name), { recursive: true, force: true });
}

/** A rename is whole or not at all; what stood there before is moved away first, since a full folder stops a rename. */
async function replaceFolder(fresh: string, folder: string, workDir: string): Promise<void> {
  const old = join(workDir, `old-${randomUUID()}`);
  await withPatience(() => rename(folder, old)).catch((error) => {
    if (!hasCode(error, 'ENOENT')) throw error;
  });
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
