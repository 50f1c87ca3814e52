import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { differsByPassword } from '#server/lib/unreachable';
import type { Logger } from '#server/telemetry/logger';
import { type Alone, aloneOnServer } from './alone.ts';
import { type EmbeddedOptions, openEmbedded } from './open-embedded.ts';
import type * as schema from './schema.ts';

/** The query builder of repositories: the same for the embedded database and a PostgreSQL server. */
export type Db = NodePgDatabase<typeof schema>;

export interface Database {
  db: Db;
  pool: pg.Pool;
  /** Rejects if the database does not answer. */
  ping(): Promise<void>;
  alone: Alone;
  /**
   * Whether the embedded database's disk is full, so that it is read-only. A server reports that on writes.
   */
  isFull(): boolean;
  /**
   * For a server: uses the password in this address for new connections; open ones stay.
   * @returns whether the address leads to the same database, as the same user
   */
  takeUrl?(databaseUrl: string): boolean;
  /** Waits for queries under way, then closes; another process may then use the data directory. */
  close(): Promise<void>;
}

/** The embedded database's options have no effect with a server. */
interface DatabaseOptions extends EmbeddedOptions {
  /** A PostgreSQL server, or null for the embedded database. */
  databaseUrl: string | null;
  logger?: Logger;
  /**
   * Checks whether the server's password has changed, after it was refused. Without it the password is fixed.
   */
  onRefused?: () => Promise<void>;
}

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
    isFull: () => false,
    takeUrl(next) {
      const isThere = differsByPassword(next, url);
      if (isThere) url = next;
      return isThere;
    },
  };
}
