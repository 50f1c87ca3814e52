import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { create } from 'tar';
import { startWorkerThread } from '#server/threads/worker-thread';
import type { NewDirectoryMethods } from './new-directory.worker.ts';

/** Made by the build (`server/database/make-new.ts`), beside this file; a server that runs from its sources has none. */
const ARCHIVE = fileURLToPath(new URL('./new-directory.tar.gz', import.meta.url));

/**
 * Lays out a PostgreSQL data directory that nobody has written into yet, and waits until the disk has it.
 * In a thread of its own: this one reads the rest of the program meanwhile.
 * @param into an empty folder
 * @returns false where the build left none: then it has to be made
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

/** Packs a data directory that nobody has open: what new ones are copies of. */
export async function packNewDirectory(directory: string, archive = ARCHIVE): Promise<void> {
  await create({ file: archive, cwd: directory, gzip: true, portable: true }, await readdir(directory));
}
