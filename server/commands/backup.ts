// `npm run backup -- sigma.tar.gz`: everything in the data directory that cannot be made again, in one file. While the
// server runs it is asked to hold still what PostgreSQL needs for a copy (server/database/backup-door.ts); calls go on.
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { BACKUP_DOOR, BackupRefused, beginBackup, type RunningBackup } from '#server/database/backup-door';
import { lockDirectory } from '#server/database/directory-lock';
import { RESERVE } from '#server/database/embedded/reserve';
import type { ArchiveFile } from '#server/features/export/tar-stream';
import { diskSpaceOf } from '#server/lib/disk-space';
import { LockHeld } from '#server/lib/lock-file';
import { StartError } from '#server/lib/start-error';
import { readConfig } from '#server/settings/config';
import { archiveOf, bytesAs, fileAs, filesBelow } from './backup-file.ts';
import { say } from './say.ts';

/** The disk is asked again after so many bytes, in which others write as well. */
const LOOK_BYTES = 16_000_000;

/** What is of this process or can be made again. */
const isLeftOut = (path: string): boolean =>
  /^(?:sigma\.lock|vectors$|database\.unfinished-|restore\.unfinished-)/.test(path) ||
  path === BACKUP_DOOR ||
  path === RESERVE ||
  path.endsWith('.part') ||
  /^database\/(?:postmaster\.pid|postmaster\.opts|backup_label)/.test(path);

const LOG = 'database/pg_wal';
const CONTROL = 'database/global/pg_control';

const sentence = (error: unknown) =>
  error instanceof BackupRefused ? new StartError(error.message, { cause: error }) : error;

await say(async () => {
  const { dataDir, databaseUrl } = readConfig();
  if (databaseUrl)
    throw new StartError(
      'The database is a PostgreSQL server (DATABASE_URL): back it up with pg_dump, and keep a copy of the data directory and of the bucket, if there is one, beside it.',
    );
  const given = process.argv[2];
  if (!given) throw new StartError('Say where the backup goes: npm run backup -- sigma.tar.gz');
  const file = resolve(given);
  if (!existsSync(join(dataDir, 'database')))
    throw new StartError(`There is nothing to back up in ${dataDir}: say where the data is with DATA_DIR.`);
  if (!relative(dataDir, file).startsWith('..'))
    throw new StartError(`The backup cannot lie in the data directory ${dataDir}: choose another folder.`);
  if (existsSync(file)) throw new StartError(`There is a file ${file} already: choose another name.`);
  if (!existsSync(dirname(file)))
    throw new StartError(`There is no folder ${dirname(file)}: make it, or choose another one.`);
  // Calls come first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const bytes = await backUp(dataDir, file);
  return `Everything of ${dataDir} is in ${file} (${(bytes / 1e6).toFixed(1)} MB). It holds what people said and the keys of this installation: keep it as safely as the server.`;
});

/** @returns the size of the file in bytes */
async function backUp(dataDir: string, file: string): Promise<number> {
  const running = await beginBackup(dataDir).catch((error: unknown) => {
    throw sentence(error);
  });
  if (running)
    try {
      return await write(file, filesWhileRunning(dataDir, running));
    } catch (error) {
      throw sentence(error);
    } finally {
      running.close();
    }
  const lock = await lockDirectory(dataDir, { patienceMs: 0 }).catch((error: unknown) => {
    if (!(error instanceof StartError && error.cause instanceof LockHeld)) throw error;
    throw new StartError(
      `Sigma is using the data directory ${dataDir} and cannot be asked for a backup right now: try again, or stop it first.`,
      { cause: error },
    );
  });
  try {
    return await write(file, filesBelow(dataDir, '', isLeftOut));
  } finally {
    await lock.release();
  }
}

/**
 * The files of a database in use in the order PostgreSQL asks for: its data, then what it was made sure of (`pg_control`),
 * then the log of the time between. Recordings come last: whatever the database tells of is there by then.
 */
async function* filesWhileRunning(dataDir: string, running: RunningBackup): AsyncGenerator<ArchiveFile> {
  const database = join(dataDir, 'database');
  yield* filesBelow(database, 'database', (path) => isLeftOut(path) || path === LOG || path === CONTROL);
  yield* fileAs(CONTROL, join(dataDir, CONTROL));
  yield bytesAs('database/backup_label', Buffer.from(await running.finish()));
  yield* filesBelow(join(dataDir, LOG), LOG, isLeftOut);
  running.close();
  yield* filesBelow(dataDir, '', (path) => path === 'database' || isLeftOut(path));
}

/** Writes under another name first: what lies under its own is whole. */
async function write(file: string, files: AsyncIterable<ArchiveFile>): Promise<number> {
  const part = `${file}.part`;
  await leaveRoom(file);
  const handle = await open(part, 'w', 0o600).catch((error: unknown) => {
    throw new StartError(`${file} cannot be written there by this user: choose another folder.`, {
      cause: error,
    });
  });
  let written = 0;
  try {
    await pipeline(
      archiveOf(files, new Date()),
      createGzip({ level: 1 }),
      async (pieces: AsyncIterable<Buffer>) => {
        for await (const piece of pieces) {
          if (Math.floor((written + piece.length) / LOOK_BYTES) > Math.floor(written / LOOK_BYTES))
            await leaveRoom(file);
          await handle.writeFile(piece);
          written += piece.length;
        }
      },
    );
    await handle.sync();
    await handle.close();
    await rename(part, file);
    return written;
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(part, { force: true });
    throw error;
  }
}

async function leaveRoom(file: string): Promise<void> {
  const { free, floor } = await diskSpaceOf(dirname(file));
  if (free < floor)
    throw new StartError(
      `Less than ${Math.round(floor / 1e6)} MB would be left on the disk of ${file}: make room there, or choose another disk. No backup was made.`,
    );
}
