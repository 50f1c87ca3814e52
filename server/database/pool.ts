import { setTimeout as pause } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { isConnectionLost, isPasswordRefused } from '#server/lib/database-away';
import type { Logger } from '#server/telemetry/logger';
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

/**
 * A PostgreSQL server is back a second or two after a restart; queries wait no longer than this, in
 * milliseconds.
 */
const PATIENCE_MS = 5_000;
const RETRY_MS = 100;
/** A server may slow down or block clients that are refused too often. */
const REFUSED_RETRY_MS = 500;

type Connected = Parameters<pg.Pool['connect']>[0];

/**
 * Waits for a database that is restarting, or for a password that is changing. Safe to retry: no query was
 * sent, because no connection existed.
 */
class PatientPool extends pg.Pool {
  readonly #onRefused: (() => Promise<void>) | undefined;

  constructor(config: pg.PoolConfig, onRefused?: () => Promise<void>) {
    super(config);
    this.#onRefused = onRefused;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    const connecting = this.#connect(performance.now() + PATIENCE_MS);
    if (!callback) return connecting;
    connecting.then(
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error: Error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }

  /** Fails at once while the database is away. */
  async ping(): Promise<void> {
    const client = await super.connect();
    try {
      await client.query('select 1');
    } finally {
      client.release();
    }
  }

  async #connect(until: number): Promise<pg.PoolClient> {
    for (;;) {
      try {
        return await super.connect();
      } catch (error) {
        const isRefused = this.#onRefused !== undefined && isPasswordRefused(error);
        const waitMs = isRefused ? REFUSED_RETRY_MS : RETRY_MS;
        if (!(isRefused || isConnectionLost(error)) || performance.now() + waitMs > until) throw error;
        if (isRefused) await this.#onRefused?.();
        await pause(waitMs);
      }
    }
  }
}

/** Clients that use the connection settings of the moment. */
export const clientsBy = (connection: () => pg.ClientConfig) =>
  class extends pg.Client {
    constructor() {
      super(connection());
    }
  };

/**
 * pg has no listener for a connection that breaks during a transaction. Further queries on it, first of all
 * the rollback, then fail with the original error, and so does the transaction.
 */
function failByWhatBrokeIt(client: pg.PoolClient): void {
  client.once('error', (error) => Object.assign(client, { query: () => Promise.reject(error) }));
  // The end of the connection is reported separately.
  client.on('error', () => {});
}

/**
 * A connection pool, and the query builder over it.
 * @param onRefused set if the password may change: checks whether it has, after a refusal
 */
export function openPool(config: pg.PoolConfig, logger: Logger | undefined, onRefused?: () => Promise<void>) {
  const pool = new PatientPool(config, onRefused);
  // An idle connection broke; the pool opens another for the next query.
  pool.on('error', (error) => logger?.warn({ err: error }, 'database connection lost'));
  pool.on('connect', failByWhatBrokeIt);
  let closed: Promise<void> | undefined;
  return {
    db: drizzle({ client: pool, schema }),
    pool,
    ping: () => pool.ping(),
    close() {
      closed ??= pool.end();
      return closed;
    },
  };
}
