import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { create } from 'tar';
import { startWorkerThread } from '#server/threads/worker-thread';
import type { NewDirectoryMethods } from './new-directory.worker.ts';

/**
 * Written by the build (`server/database/make-new.ts`) beside this file; missing when the server runs from
 * sources.
 */
const ARCHIVE = fileURLToPath(new URL('./new-directory.tar.gz', import.meta.url));

/**
 * Unpacks an unused PostgreSQL data directory and waits until it is on disk. In a thread, so that this one
 * can load the rest of the program meanwhile.
 * @param into an empty folder
 * @returns false if the build left no archive: then it must be created
 */
export async function unpackNewDirectory(into: string, archive = ARCHIVE): Promise<boolean> {
  if (!existsSync(archive)) return false;
  const thread = startWorkerThread<NewDirectoryMethods>(import.meta.url, './new-directory.worker', {
    hangMs: null,
  });
  try {
    await thread.call('unpack', { archive, into });
  } finally {
    await thread.terminate();
  }
  return true;
}

/** Packs a data directory that is not open, as the template for new ones. */
export async function packNewDirectory(directory: string, archive = ARCHIVE): Promise<void> {
  await create({ file: archive, cwd: directory, gzip: true, portable: true }, await readdir(directory));
}
