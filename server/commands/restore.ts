// `npm run restore -- sigma.tar.gz`: puts a backup into an empty data directory, while no server runs with it. It is opened
// before anything is put in its place: what is restored is what a server can start with.
import { mkdtemp, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { lockDirectory } from '#server/database/directory-lock';
import { prepareDataDirectory } from '#server/database/embedded/data-directory';
import { isNewer, lastUseOf } from '#server/database/embedded/last-use';
import { inspectDatabase } from '#server/database/inspect';
import { LockHeld } from '#server/lib/lock-file';
import { StartError } from '#server/lib/start-error';
import { VERSION } from '#server/lib/version';
import { readConfig } from '#server/settings/config';
import { unpackBackup } from './backup-file.ts';
import { say } from './say.ts';

const UNFINISHED = 'restore.unfinished-';

await say(async () => {
  const { dataDir, databaseUrl } = readConfig();
  if (databaseUrl)
    throw new StartError(
      'The database is a PostgreSQL server (DATABASE_URL): restore what pg_dump wrote with pg_restore or psql, and put the copy of the data directory back.',
    );
  const given = process.argv[2];
  if (!given) throw new StartError('Say which backup to restore: npm run restore -- sigma.tar.gz');
  const lock = await lockDirectory(dataDir, { patienceMs: 0 }).catch((error: unknown) => {
    if (!(error instanceof StartError && error.cause instanceof LockHeld)) throw error;
    throw new StartError(
      `Sigma is running with the data directory ${dataDir}: stop it, or restore into an empty one, as in DATA_DIR=./data-2 npm run restore -- ${given}`,
      { cause: error },
    );
  });
  try {
    await restore(resolve(given), dataDir);
  } finally {
    await lock.release();
    // One that was made for nothing.
    await rmdir(dataDir).catch(() => {});
  }
  return `${given} is restored into ${dataDir}. Start Sigma with npm start.`;
});

async function restore(file: string, dataDir: string): Promise<void> {
  const there = (await readdir(dataDir)).filter(
    (name) => !name.startsWith('sigma.lock') && !name.startsWith(UNFINISHED),
  );
  if (there.length > 0)
    throw new StartError(
      `The data directory ${dataDir} is not empty, and nothing in it is overwritten: move it away, or restore into another one, as in DATA_DIR=./data-2 npm run restore -- ${file}`,
    );
  const folder = await mkdtemp(join(dataDir, UNFINISHED));
  try {
    await unpackBackup(file, folder);
    const { sigma } = await lastUseOf(join(folder, 'database'));
    if (sigma !== null && isNewer(sigma))
      throw new StartError(
        `The backup ${file} is of Sigma ${sigma}, and this is Sigma ${VERSION}: restore it with that version or a newer one.`,
      );
    const directory = await prepareDataDirectory(folder).catch((error: unknown) => {
      throw new StartError(
        `The database in ${file} is of another version of PostgreSQL: restore it with the version of Sigma that made it.`,
        { cause: error },
      );
    });
    const age = await inspectDatabase({ directory }).catch((error: unknown) => {
      throw new StartError(
        `The database in ${file} cannot be opened: take another backup. Nothing was restored.`,
        { cause: error },
      );
    });
    if (age === 'newer')
      throw new StartError(
        `The backup ${file} was made by a newer version of Sigma: restore it with that version or a newer one.`,
      );
    // The database last: without it, there is no installation.
    const names = (await readdir(folder)).filter((name) => name !== 'database');
    for (const name of [...names, 'database']) await rename(join(folder, name), join(dataDir, name));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
