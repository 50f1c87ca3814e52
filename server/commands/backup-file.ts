import { createReadStream, type Dirent } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, Header } from 'tar';
import { z } from 'zod';
import { type ArchiveFile, tarStream } from '#server/features/export/tar-stream';
import { codeOf } from '#server/lib/error-code';
import { StartError } from '#server/lib/start-error';

/*
 * A backup is a compressed tar archive of the data directory, which any tar can read, behind one file that says what it is.
 */

const MANIFEST = 'sigma-backup.json';
/** Of the archive's layout. A program reads those of its number and below. */
const FORMAT = 1;
const manifestSchema = z.object({ format: z.number().int().positive(), madeAt: z.iso.datetime() });

const BLOCK_BYTES = 512;
const PIECE_BYTES = 1 << 20;

/** The bytes of a backup's archive, before they are compressed. */
export function archiveOf(files: AsyncIterable<ArchiveFile>, madeAt: Date): AsyncGenerator<Uint8Array> {
  return tarStream(withManifest(files, madeAt));
}

async function* withManifest(files: AsyncIterable<ArchiveFile>, madeAt: Date): AsyncGenerator<ArchiveFile> {
  const manifest = { format: FORMAT, madeAt: madeAt.toISOString() } satisfies z.infer<typeof manifestSchema>;
  yield bytesAs(MANIFEST, Buffer.from(JSON.stringify(manifest)));
  yield* files;
}

/** Bytes in memory as a file of an archive. */
export const bytesAs = (path: string, bytes: Uint8Array): ArchiveFile => ({
  path,
  at: new Date(),
  size: bytes.byteLength,
  bytes: [bytes],
});

/**
 * Every file below a folder as it is when its turn comes, with the folders they lie in. What goes away meanwhile is not
 * there, what grows is cut to the length it began with, and what shrinks is filled with zeros to that length.
 * @param path of the folder in the archive; empty for its root
 * @param isLeftOut asked for each path in the archive; a folder's holds for all below it
 */
export async function* filesBelow(
  folder: string,
  path: string,
  isLeftOut: (path: string) => boolean,
): AsyncGenerator<ArchiveFile> {
  if (path) yield { ...bytesAs(`${path}/`, Buffer.alloc(0)), bytes: [] };
  for (const entry of await entriesOf(folder)) {
    const below = path ? `${path}/${entry.name}` : entry.name;
    if (isLeftOut(below)) continue;
    if (entry.isDirectory()) yield* filesBelow(join(folder, entry.name), below, isLeftOut);
    else if (entry.isFile()) yield* fileAs(below, join(folder, entry.name));
  }
}

const entriesOf = (folder: string): Promise<Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch(ifMissing([]));

/** One file of the disk; nothing where it is gone. */
export async function* fileAs(path: string, onDisk: string): AsyncGenerator<ArchiveFile> {
  const file = await open(onDisk).catch(ifMissing(null));
  if (!file) return;
  try {
    const { size, mtime } = await file.stat();
    yield { path, at: mtime, size, bytes: exactly(file, size) };
  } finally {
    await file.close();
  }
}

async function* exactly(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const piece = Buffer.alloc(Math.min(PIECE_BYTES, size - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    // At its new end the rest is as it was made: zeros.
    const length = bytesRead || piece.length;
    yield piece.subarray(0, length);
    at += length;
  }
}

const ifMissing =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (codeOf(error) === 'ENOENT') return instead;
    throw error;
  };

/**
 * Unpacks a backup into an empty folder.
 * @throws StartError when it is none, is of a newer version or is damaged; what lies in the folder by then is worth nothing
 */
export async function unpackBackup(file: string, folder: string): Promise<void> {
  const manifest = await readManifest(file);
  if (!manifest)
    throw new StartError(`${file} is no backup of Sigma: name a file that npm run backup has made.`);
  if (manifest.format > FORMAT)
    throw new StartError(
      `The backup ${file} was made by a newer version of Sigma: restore it with that version or a newer one.`,
    );
  let strange = '';
  try {
    await pipeline(
      createReadStream(file),
      createGunzip(),
      extract({
        cwd: folder,
        strict: true,
        preserveOwner: false,
        filter: (path, entry) => {
          if ('type' in entry && entry.type !== 'File' && entry.type !== 'Directory') strange ||= path;
          return strange === '' && path !== MANIFEST;
        },
      }),
    );
    if (strange) throw new Error(`${strange} is neither a file nor a folder.`);
  } catch (error) {
    throw new StartError(`The backup ${file} is damaged: take another one. Nothing was restored.`, {
      cause: error,
    });
  }
}

/** What a backup says of itself; null where it is none. */
async function readManifest(file: string): Promise<z.infer<typeof manifestSchema> | null> {
  const stream = createReadStream(file);
  const unpacked = stream.pipe(createGunzip());
  stream.on('error', (error) => unpacked.destroy(error));
  try {
    let start: Buffer = Buffer.alloc(0);
    for await (const piece of unpacked) {
      start = Buffer.concat([start, piece]);
      if (start.length >= 2 * BLOCK_BYTES) break;
    }
    const { path, size = 0 } = new Header(start);
    if (path !== MANIFEST || size > BLOCK_BYTES) return null;
    return manifestSchema.parse(JSON.parse(start.toString('utf8', BLOCK_BYTES, BLOCK_BYTES + size)));
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') throw new StartError(`There is no file ${file}.`, { cause: error });
    if (code === 'EACCES')
      throw new StartError(`The file ${file} may not be read by this user.`, { cause: error });
    return null;
  } finally {
    stream.destroy();
  }
}
