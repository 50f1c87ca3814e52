import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type DiskSpace, diskSpaceOf } from '#server/lib/disk-space';
import { EngineError } from '#server/lib/engine-error';
import { codeOf } from '#server/lib/error-code';
import type { MediaStore } from './contract.ts';
import { checkedKey } from './keys.ts';

type SpaceOf = (path: string) => Promise<Pick<DiskSpace, 'free' | 'floor'>>;

/**
 * Stores bytes as files in a folder, created with the first file. While a file is written, its name ends with
 * `.part`, beside its final name, so that deleting a prefix and searching for orphans include it. A file that
 * would leave less free disk space than the floor is refused: the database needs that space more.
 * @param spaceOf replaces the disk, for tests
 */
export function createFileStore(folder: string, spaceOf: SpaceOf = diskSpaceOf): MediaStore {
  const pathOf = (key: string) => join(folder, ...checkedKey(key).split('/').filter(Boolean));

  return {
    name: 'Files',

    async put(key, bytes, { signal }) {
      const path = pathOf(key);
      const { free, floor } = await attempt(spaceOf(folder));
      if (free < floor) throw full();
      const part = `${path}.${randomUUID()}.part`;
      let written = false;
      try {
        const { file, made } = await attempt(create(part));
        try {
          for await (const chunk of bytes) {
            signal?.throwIfAborted();
            await attempt(file.writeFile(chunk));
          }
          await attempt(file.sync());
        } finally {
          await file.close();
        }
        signal?.throwIfAborted();
        await attempt(rename(part, path));
        written = true;
        await syncFolders(dirname(path), made);
      } finally {
        if (!written) await rm(part, { force: true }).catch(() => {});
      }
    },

    async open(key, range) {
      const path = pathOf(key);
      let file: FileHandle;
      try {
        file = await open(path, constants.O_RDONLY);
      } catch (error) {
        if (isMissing(error)) return null;
        throw broken(error);
      }
      return file.createReadStream({ ...range, autoClose: true });
    },

    async delete(keyOrPrefix) {
      const path = pathOf(keyOrPrefix);
      await attempt(rm(path, { recursive: keyOrPrefix.endsWith('/'), force: true, maxRetries: 3 }));
      // Delete the folder of the last file too; rmdir fails if it still holds something.
      if (!keyOrPrefix.endsWith('/')) await rmdir(dirname(path)).catch(() => {});
    },

    list: (prefix) => filesBelow(pathOf(prefix), prefix),

    async close() {},
  };
}

/**
 * Creates a file and its folders. A folder may be deleted meanwhile, when its last other file is removed.
 * @returns the file, and the outermost folder that was created
 */
async function create(path: string, triesLeft = 10): Promise<{ file: FileHandle; made: string | undefined }> {
  try {
    const made = await mkdir(dirname(path), { recursive: true });
    return { file: await open(path, 'wx', 0o600), made };
  } catch (error) {
    if (triesLeft > 1 && isMissing(error)) return create(path, triesLeft - 1);
    throw error;
  }
}

/** A folder that is deleted meanwhile counts as empty; the others are still listed. */
async function* filesBelow(folder: string, key: string): AsyncGenerator<string> {
  const entries = await opendir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw broken(error);
  });
  for await (const entry of entries) {
    const below = `${key}${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(join(folder, entry.name), `${below}/`);
    else if (entry.isFile()) yield below;
  }
}

/**
 * Makes a new name durable, and the names of the folders created for it. Windows keeps names safe by itself
 * and cannot open a folder.
 * @param made the outermost created folder
 */
async function syncFolders(path: string, made: string | undefined): Promise<void> {
  const folder = await open(path, constants.O_RDONLY).catch(() => null);
  await folder?.sync().catch(() => {});
  await folder?.close();
  if (made !== undefined && path.startsWith(made)) await syncFolders(dirname(path), made);
}

async function attempt<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw broken(error);
  }
}

function broken(cause: unknown): EngineError {
  return codeOf(cause) === 'ENOSPC' || codeOf(cause) === 'EDQUOT'
    ? full(cause)
    : new EngineError('Recordings cannot be reached right now.', { retryable: true, cause });
}

const full = (cause?: unknown) =>
  new EngineError('There is no room for recordings on the disk any more.', { retryable: false, cause });
const isMissing = (error: unknown) => codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
