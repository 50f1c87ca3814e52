import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Logger } from '#server/logger';
import { StartError } from '#server/start-error';
import { lockDirectory } from './directory-lock.ts';
import { prepareDataDirectory } from './embedded/data-directory.ts';
import { createMaintenance } from './embedded/maintenance.ts';
import { startEmbeddedPostgres } from './embedded/postgres.ts';
import { migrate } from './migrate.ts';
import { checkServer, serverConnection } from './postgres-server.ts';
import * as schema from './schema.ts';

/** The query builder that repositories use: the same over the embedded database and a PostgreSQL server. */
export type Db = NodePgDatabase<typeof schema>;

export interface Database {
  db: Db;
  pool: pg.Pool;
  /** Resolves while the database answers; rejects otherwise. */
  ping(): Promise<void>;
  /** Waits for queries under way, then closes; the data directory may then be used by another process. */
  close(): Promise<void>;
}

interface DatabaseOptions {
  /** Holds the embedded database. Unused with a server. */
  dataDir: string;
  /** A PostgreSQL server, or null for the embedded database. */
  databaseUrl: string | null;
  logger?: Logger;
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

async function openServer(databaseUrl: string, { logger }: DatabaseOptions): Promise<Database> {
  await checkServer(databaseUrl);
  await migrateThrough({ connectionString: databaseUrl });
  const pool = new pg.Pool({ ...serverConnection(databaseUrl), max: SERVER_CONNECTIONS });
  return around(pool, logger, () => pool.end());
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
    const postgres = await startEmbeddedPostgres({
      directory,
      onRestart: (reason) => logger?.error({ reason }, 'database thread stopped, starting another'),
      onGaveUp: (reason) => lost(new Error(reason)),
    }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartError(`The database in ${directory} cannot be opened: ${reason}.`, { cause: error });
    });
    const connection = { user: 'postgres', database: 'postgres', stream: () => postgres.connect() };
    try {
      await migrateThrough(connection);
      postgres.watch();
      const pool = new pg.Pool({ ...connection, max: EMBEDDED_CONNECTIONS, query_timeout: 35_000 });
      const stopMaintaining = maintain(pool, logger);
      return around(pool, logger, async () => {
        await stopMaintaining();
        await pool.end();
        await postgres.close();
        await lock.release();
      });
    } catch (error) {
      await postgres.close();
      throw error;
    }
  } catch (error) {
    await lock.release();
    throw error;
  }
}

const MAINTENANCE_MS = 60_000;

/** @returns stops it, and waits for what it is doing */
function maintain(pool: pg.Pool, logger: Logger | undefined): () => Promise<void> {
  const maintenance = createMaintenance(pool);
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(() => maintenance.run())
      .catch((error: unknown) => logger?.warn({ err: error }, 'database maintenance failed'));
  }, MAINTENANCE_MS).unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}

async function migrateThrough(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    await migrate(client);
  } finally {
    await client.end().catch(() => {});
  }
}

function around(pool: pg.Pool, logger: Logger | undefined, close: () => Promise<void>): Database {
  // A connection that breaks while nobody uses it; the pool opens another for the next query.
  pool.on('error', (error) => logger?.warn({ err: error }, 'database connection lost'));
  let closed: Promise<void> | undefined;
  return {
    db: drizzle({ client: pool, schema }),
    pool,
    async ping() {
      await pool.query('select 1');
    },
    close() {
      closed ??= close();
      return closed;
    },
  };
}
