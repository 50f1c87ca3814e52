import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { Logger } from '#server/logger';
import { StartError } from '#server/start-error';
import { differsByPassword } from '#server/unreachable';
import { type Alone, aloneHere, aloneOnServer } from './alone.ts';
import { openBackupDoor } from './backup-door.ts';
import { lockDirectory } from './directory-lock.ts';
import { prepareDataDirectory } from './embedded/data-directory.ts';
import { maintain } from './embedded/maintenance.ts';
import { startEmbeddedPostgres } from './embedded/postgres.ts';
import type * as schema from './schema.ts';

/** The query builder that repositories use: the same over the embedded database and a PostgreSQL server. */
export type Db = NodePgDatabase<typeof schema>;

export interface Database {
  db: Db;
  pool: pg.Pool;
  /** Resolves while the database answers; rejects otherwise. */
  ping(): Promise<void>;
  alone: Alone;
  /**
   * Of a server: connects by the password in this address from now on; connections that stand stay.
   * @returns whether the address leads to the same database, as the same user
   */
  takeUrl?(databaseUrl: string): boolean;
  /** Waits for queries under way, then closes; the data directory may then be used by another process. */
  close(): Promise<void>;
}

interface DatabaseOptions {
  /** Holds the embedded database. Unused with a server. */
  dataDir: string;
  /** A PostgreSQL server, or null for the embedded database. */
  databaseUrl: string | null;
  logger?: Logger;
  /** Looks whether the server's password has changed; asked when it is refused. Without it, it does not change. */
  onRefused?: () => Promise<void>;
  /** Told when the database is lost for good and the process should end. */
  onLost?: (cause: unknown) => void;
}

/** The embedded backend answers one query at a time; a few connections keep it from waiting for the next question. */
const EMBEDDED_CONNECTIONS = 4;
const SERVER_CONNECTIONS = 10;

/**
 * Opens the database and brings its schema up to date.
 * @throws StartError when it cannot be used: in use by another process, away, wrong password, too old
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.databaseUrl ? openServer(options.databaseUrl, options) : openEmbedded(options);
}

async function openServer(databaseUrl: string, { logger, onRefused }: DatabaseOptions): Promise<Database> {
  const [{ checkServer, CONNECT_MS, serverConnection }, { clientsBy, migrateThrough, openPool }] =
    await Promise.all([import('./postgres-server.ts'), import('./pool.ts')]);
  await checkServer(databaseUrl);
  await migrateThrough({ connectionString: databaseUrl });
  let url = databaseUrl;
  const connection = () => serverConnection(url);
  const Client = clientsBy(connection);
  const limits = { max: SERVER_CONNECTIONS, connectionTimeoutMillis: CONNECT_MS };
  return {
    ...openPool({ Client, ...limits }, logger, onRefused),
    alone: aloneOnServer(connection),
    takeUrl(next) {
      const isThere = differsByPassword(next, url);
      if (isThere) url = next;
      return isThere;
    },
  };
}

async function openEmbedded({ dataDir, logger, onLost }: DatabaseOptions): Promise<Database> {
  const lost = (cause: unknown) => {
    logger?.fatal({ err: cause }, 'database lost');
    onLost?.(cause);
  };
  const lock = await lockDirectory(dataDir, {
    onLost: () => lost(new Error('The lock of the data directory was taken away.')),
  });
  try {
    const directory = await prepareDataDirectory(dataDir);
    const starting = startEmbeddedPostgres({
      directory,
      onRestart: (reason) => logger?.error({ reason }, 'database thread stopped, starting another'),
      onGaveUp: (reason) => lost(new Error(reason)),
    }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartError(`The database in ${directory} cannot be opened: ${reason}.`, { cause: error });
    });
    // The driver is read while PostgreSQL opens in its thread.
    const [postgres, { migrateThrough, openPool }] = await Promise.all([starting, import('./pool.ts')]);
    const connection = { user: 'postgres', database: 'postgres', stream: () => postgres.connect() };
    try {
      await migrateThrough(connection);
      postgres.watch();
      const database = openPool({ ...connection, max: EMBEDDED_CONNECTIONS, query_timeout: 35_000 }, logger);
      const upkeep = maintain(database.pool, logger);
      const door = await openBackupDoor({ dataDir, database: database.pool, upkeep, logger });
      let closed: Promise<void> | undefined;
      const close = async () => {
        await door.close();
        await upkeep.stop();
        await database.close();
        await postgres.close();
        await lock.release();
      };
      return {
        ...database,
        alone: aloneHere(),
        close() {
          closed ??= close();
          return closed;
        },
      };
    } catch (error) {
      await postgres.close();
      throw error;
    }
  } catch (error) {
    await lock.release();
    throw error;
  }
}
