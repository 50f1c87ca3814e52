import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Logger } from '#server/logger';
import { migrate } from './migrate.ts';
import * as schema from './schema.ts';

/** Brings the schema up to date over a connection of its own. */
export async function migrateThrough(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    await migrate(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Connections to a database, and the query builder over them. */
export function openPool(config: pg.PoolConfig, logger: Logger | undefined) {
  const pool = new pg.Pool(config);
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
      closed ??= pool.end();
      return closed;
    },
  };
}
