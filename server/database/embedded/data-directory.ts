import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '#server/start-error';
import { startWorkerThread } from '#server/worker-thread';
import type { NewDirectoryMethods } from './new-directory.worker.ts';

/** The major version of the embedded PostgreSQL; its data directories fit no other one. */
const POSTGRES_VERSION = '18';

/**
 * Makes sure that there is a whole PostgreSQL data directory below `dataDir`.
 * A new one is made in a thread of its own, because that takes several times the memory of running it, under another
 * name, so that one interrupted half-way is never taken for a whole one.
 * @returns its path
 * @throws StartError when it belongs to another version of PostgreSQL
 */
export async function prepareDataDirectory(dataDir: string): Promise<string> {
  const directory = join(dataDir, 'database');
  if (existsSync(directory)) {
    const version = await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(() => '');
    if (version.trim() !== POSTGRES_VERSION)
      throw new StartError(
        `The folder ${directory} holds no database of this version of Sigma (PostgreSQL ${POSTGRES_VERSION}): move it away, or choose another data directory with DATA_DIR.`,
      );
    return directory;
  }
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const maker = startWorkerThread<NewDirectoryMethods>(import.meta.url, './new-directory.worker');
  try {
    await maker.call('make', { directory: unfinished });
  } finally {
    await maker.terminate();
  }
  await rename(unfinished, directory);
  return directory;
}
