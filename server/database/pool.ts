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

/** A PostgreSQL server is back a second or two after it was told to restart; whoever asks waits longer than this no more. */
const PATIENCE_MS = 5_000;
const RETRY_MS = 100;
/** A server may slow down, or shut out, who is refused too often. */
const REFUSED_RETRY_MS = 500;

type Connected = Parameters<pg.Pool['connect']>[0];

/**
 * Waits for a database that is just restarting, or for a password that is just changing: nothing was asked over a connection that
 * never came to be.
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

/** Clients that connect by what holds at that moment. */
export const clientsBy = (connection: () => pg.ClientConfig) =>
  class extends pg.Client {
    constructor() {
      super(connection());
    }
  };

/**
 * Nobody else listens to a connection that breaks in the midst of a transaction. What is asked over it further, the rollback
 * first of all, fails by what broke it, so that the transaction does.
 */
function failByWhatBrokeIt(client: pg.PoolClient): void {
  client.once('error', (error) => Object.assign(client, { query: () => Promise.reject(error) }));
  // The end of it is told after that.
  client.on('error', () => {});
}

/**
 * Connections to a database, and the query builder over them.
 * @param onRefused given where the password may change: looks whether it has, when it is refused
 */
export function openPool(config: pg.PoolConfig, logger: Logger | undefined, onRefused?: () => Promise<void>) {
  const pool = new PatientPool(config, onRefused);
  // A connection that breaks while nobody uses it; the pool opens another for the next query.
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
