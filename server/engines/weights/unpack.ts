import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar';
import { codeOf } from '#server/lib/error-code';
import type { Layout, WeightsSource } from './contract.ts';
import { FetchFailure } from './fetch-failure.ts';
import { unpackArchive } from './unpack-archive.ts';

const READ_BYTES = 256 * 1024;

/**
 * Installs the files of a verified download that a layout names, and nothing else.
 * @param into destination folder
 * @param workDir existing folder on the same disk, for temporary files
 * @throws FetchFailure when something is missing; system errors of the disk; the signal's reason
 */
export async function layOut(
  file: string,
  pkg: WeightsSource,
  into: string,
  workDir: string,
  signal: AbortSignal,
): Promise<void> {
  if (!('url' in pkg)) return unpackTarball(file, pkg.layout, into, workDir, signal);
  if (pkg.layout.kind === 'whole') return rename(file, await targetOf(into, pkg.layout.to));
  await unpackArchive(file, pkg.name, pkg.layout.files, into);
  signal.throwIfAborted();
}

/**
 * Extracts the files of a verified tarball that a layout names, and nothing else. Streams throughout.
 * @param into destination folder
 * @param workDir existing folder on the same disk, for temporary files
 * @throws FetchFailure when the tarball lacks a file; system errors of the disk; the signal's reason
 */
async function unpackTarball(
  tarball: string,
  layout: Layout,
  into: string,
  workDir: string,
  signal: AbortSignal,
): Promise<void> {
  const dir = await mkdtemp(join(workDir, 'tarball-'));
  try {
    const wanted = new Set(layout.kind === 'files' ? Object.keys(layout.files) : [layout.data, layout.table]);
    await extract({
      file: tarball,
      cwd: dir,
      // npm puts all files of a package below one folder of arbitrary name.
      strip: 1,
      filter: (path) => wanted.has(path.split('/').slice(1).join('/')),
      preserveOwner: false,
      maxReadSize: READ_BYTES,
    });
    signal.throwIfAborted();
    if (layout.kind === 'files') {
      for (const [from, to] of Object.entries(layout.files)) {
        const target = await targetOf(into, to);
        await rename(join(dir, from), target).catch(missing(from));
      }
      if (layout.tokens) await writeFile(await targetOf(into, layout.tokens), await tokenTable());
    } else {
      await unpackPacked(join(dir, layout.data), join(dir, layout.table), layout.files, into, signal);
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function unpackPacked(
  data: string,
  table: string,
  files: Readonly<Record<string, string>>,
  into: string,
  signal: AbortSignal,
): Promise<void> {
  const script = await readFile(table, 'utf8').catch(missing('its list of files'));
  const { size } = await stat(data).catch(missing('its data'));
  const places = readTable(script);
  for (const [from, to] of Object.entries(files)) {
    const place = places.get(from);
    if (!place || place.end > size || place.start >= place.end) throw lacks(from);
    const target = await targetOf(into, to);
    await pipeline(
      createReadStream(data, { start: place.start, end: place.end - 1, highWaterMark: READ_BYTES }),
      createWriteStream(target),
      { signal },
    );
  }
}

/**
 * Parses the list of files in a script by Emscripten's file packager; its numbers are minified (`6386e3`).
 */
function readTable(script: string): Map<string, { start: number; end: number }> {
  const entries = script.matchAll(/filename:\s*"\/*([^"/][^"]*)",\s*start:\s*([\de.]+),\s*end:\s*([\de.]+)/g);
  return new Map(
    [...entries].map(([, name = '', start, end]) => [name, { start: Number(start), end: Number(end) }]),
  );
}

/**
 * Llama's tokens in the format of Moonshine's loader: `base64(token) id` per line, which keeps any byte of a
 * token.
 */
async function tokenTable(): Promise<string> {
  const { default: tokenizer } = await import('llama-tokenizer-js');
  return tokenizer.vocabById.map((token, id) => `${Buffer.from(token).toString('base64')} ${id}\n`).join('');
}

async function targetOf(into: string, path: string): Promise<string> {
  const target = join(into, ...path.split('/'));
  if (!target.startsWith(into + sep))
    throw new FetchFailure('a file of the package would leave its folder', { soon: false });
  await mkdir(dirname(target), { recursive: true });
  return target;
}

const lacks = (file: string) => new FetchFailure(`the package lacks ${file}`, { soon: false });

function missing(file: string): (error: unknown) => never {
  return (error) => {
    throw codeOf(error) === 'ENOENT' ? lacks(file) : error;
  };
}
