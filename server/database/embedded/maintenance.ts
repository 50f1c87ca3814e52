import { z } from 'zod';
import type { Logger } from '#server/telemetry/logger';

/**
 * Does what PostgreSQL's background processes do on a server: without checkpoints the write-ahead log grows
 * for ever and crash recovery slows down; without vacuum the tables grow.
 */
interface Maintenance {
  /** Does the maintenance that is due, one statement at a time, so that queries run in between. */
  run(): Promise<void>;
}

interface Queries {
  query(sql: string): Promise<{ rows: unknown[] }>;
}

/** PostgreSQL's own limit is `max_wal_size`; this much is replayed in well under a second. */
const CHECKPOINT_BYTES = 32 * 1024 * 1024;

const logSize = z.tuple([z.object({ bytes: z.coerce.number() })]);
const dueTables = z.array(z.object({ name: z.string(), vacuum: z.boolean() }));

/** Autovacuum's default thresholds: 50 rows and 20 % dead, or 10 % changed since the last statistics. */
const DUE_TABLES = `
  select quote_ident(schemaname) || '.' || quote_ident(relname) as name,
    n_dead_tup > 50 + 0.2 * n_live_tup as vacuum
  from pg_stat_user_tables
  where n_dead_tup > 50 + 0.2 * n_live_tup or n_mod_since_analyze > 50 + 0.1 * n_live_tup
  order by relname`;

/** @param isFull whether the disk is full: then the log is kept small, and nothing else is written */
export function createMaintenance(database: Queries, isFull = () => false): Maintenance {
  return {
    async run() {
      const due = isFull() ? [] : dueTables.parse((await database.query(DUE_TABLES)).rows);
      for (const { name, vacuum } of due)
        await database.query(vacuum ? `vacuum (analyze) ${name}` : `analyze ${name}`);
      const [log] = logSize.parse(
        (
          await database.query(
            'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) as bytes from pg_control_checkpoint()',
          )
        ).rows,
      );
      if (log.bytes > CHECKPOINT_BYTES) await database.query('checkpoint');
    },
  };
}

const MAINTENANCE_MS = 60_000;

/** Maintenance of a database until it is stopped. */
export interface Upkeep {
  /** Resolves once nothing is running; nothing starts again until `until` settles. */
  rest(until: Promise<unknown>): Promise<void>;
  /** Stops, and waits for work under way. */
  stop(): Promise<void>;
}

/** Keeps a database maintained. @param isFull as in `createMaintenance` */
export function maintain(queries: Queries, logger: Logger | undefined, isFull?: () => boolean): Upkeep {
  const maintenance = createMaintenance(queries, isFull);
  let running = Promise.resolve();
  const next = (work: () => Promise<unknown>) => {
    running = running
      .then(work)
      .then(() => {})
      .catch((error: unknown) => logger?.warn({ err: error }, 'database maintenance failed'));
  };
  const timer = setInterval(() => next(() => maintenance.run()), MAINTENANCE_MS).unref();
  return {
    rest(until) {
      const before = running;
      next(() => until);
      return before;
    },
    stop() {
      clearInterval(timer);
      return running;
    },
  };
}
