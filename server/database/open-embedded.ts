import { isDiskFull } from '#server/lib/database-away';
import { StartError } from '#server/lib/start-error';
import type { Logger } from '#server/telemetry/logger';
import { aloneHere } from './alone.ts';
import { openBackupDoor } from './backup-door.ts';
import { lockDirectory } from './directory-lock.ts';
import { prepareDataDirectory } from './embedded/data-directory.ts';
import { type DiskRoom, type DiskRoomOptions, watchRoom } from './embedded/disk-room.ts';
import { noteUse } from './embedded/last-use.ts';
import { maintain } from './embedded/maintenance.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/postgres.ts';
import { isNoRoom } from './embedded/stopped.ts';

export interface EmbeddedOptions {
  /** Contains the database. */
  dataDir: string;
  logger?: Logger;
  /** Whether disk space is reserved for the database, so that it can be read on a full disk. */
  hasReserve?: boolean;
  /** Called when the database is lost for good and the process should end. */
  onLost?: (cause: unknown) => void;
  /** For tests: another disk and shorter intervals. */
  watch?: Pick<DiskRoomOptions, 'spaceOf' | 'everyMs'>;
}

/** The backend answers one query at a time; a few connections keep it busy. */
const CONNECTIONS = 4;

/**
 * Opens the embedded database and brings its schema up to date.
 * @throws StartError when it cannot be used
 */
export async function openEmbedded({ dataDir, logger, hasReserve = false, onLost, watch }: EmbeddedOptions) {
  const lost = (cause: unknown) => {
    logger?.fatal({ err: cause }, 'database lost');
    onLost?.(cause);
  };
  const open: (() => Promise<void>)[] = [];
  const lock = await lockDirectory(dataDir, {
    onLost: () => lost(new Error('The lock of the data directory was taken away.')),
  });
  open.push(() => lock.release());
  try {
    const directory = await prepareDataDirectory(dataDir);
    let postgres: EmbeddedPostgres | undefined;
    const room = await watchRoom({
      dataDir,
      hasReserve,
      ...watch,
      onChange: (isFull) => {
        if (isFull) logger?.error('the disk is full: the database is read-only until there is space');
        else logger?.info('the disk has room again');
        void postgres?.setReadOnly(isFull);
      },
    });
    open.push(() => room.stop());
    // Load the driver while PostgreSQL opens in its thread.
    const driver = import('./pool.ts');
    const start = async () => {
      const started = await startEmbeddedPostgres({
        directory,
        makeRoom: (attempt, signal) => room.makeRoom(attempt, signal),
        onRestart: (reason) => logger?.error({ reason }, 'database thread stopped, starting another'),
        onGaveUp: (reason) => lost(new Error(reason)),
      }).catch((error: unknown) => {
        throw new StartError(`The database in ${directory} cannot be opened: ${messageOf(error)}.`, {
          cause: error,
        });
      });
      const connection = { user: 'postgres', database: 'postgres', stream: () => started.connect() };
      try {
        await (await driver).migrateThrough(connection);
      } catch (error) {
        await started.close();
        throw error;
      }
      return { started, connection };
    };
    const { started, connection } = await whereverThereIsRoom(start, room, dataDir);
    postgres = started;
    open.push(() => started.close());
    await noteUse(directory).catch((error: unknown) =>
      logger?.warn({ err: error }, 'the version could not be recorded in the data directory'),
    );
    if (room.isFull) await started.setReadOnly(true);
    started.watch();
    const { openPool } = await driver;
    const database = openPool({ ...connection, max: CONNECTIONS, query_timeout: 35_000 }, logger);
    open.push(() => database.close());
    const upkeep = maintain(database.pool, logger, () => room.isFull);
    open.push(() => upkeep.stop());
    const door = await openBackupDoor({ dataDir, database: database.pool, upkeep, logger });
    open.push(() => door.close());
    let closed: Promise<void> | undefined;
    return {
      ...database,
      alone: aloneHere(),
      isFull: () => room.isFull,
      close() {
        closed ??= closeAll(open);
        return closed;
      },
    };
  } catch (error) {
    await closeAll(open);
    throw error;
  }
}

/** Starts, and retries without the reserve if the disk is full. @throws StartError if that fails, too */
async function whereverThereIsRoom<T>(start: () => Promise<T>, room: DiskRoom, dataDir: string): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (!isWantOfRoom(error)) throw error;
    await room.makeRoom(0, new AbortController().signal);
  }
  try {
    return await start();
  } catch (error) {
    if (!isWantOfRoom(error)) throw error;
    throw new StartError(
      `There is no room left on the disk of the data directory ${dataDir}: make some, and start Sigma again.`,
      { cause: error },
    );
  }
}

const isWantOfRoom = (error: unknown) => isDiskFull(error) || isNoRoom(messageOf(error));

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Closes everything, newest first, even if some fail. */
async function closeAll(open: (() => Promise<void>)[]): Promise<void> {
  const close = open.pop();
  if (!close) return;
  try {
    await close();
  } finally {
    await closeAll(open);
  }
}
