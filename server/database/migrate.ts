import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import { StartError } from '#server/lib/start-error';

/** Arbitrary, but the same in every instance, so that two that start at once take turns. */
const MIGRATION_LOCK = 771_220_261;

const folder = fileURLToPath(new URL('./migrations', import.meta.url));

/**
 * Brings a database to the newest schema, all migrations in one transaction.
 * @throws StartError when a newer version has used it
 * @param client a connection without statement time-outs: a migration of many rows may take long
 */
export async function migrate(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
  try {
    if ((await schemaAge(client)) === 'newer')
      throw new StartError(
        'The database was used by a newer version of Sigma: start that version or a newer one, or restore a backup of this one.',
      );
    await runMigrations(drizzle({ client }), { migrationsFolder: folder });
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
  }
}

/**
 * Creation time of this version's newest migration, in milliseconds: the number under which a database
 * records it.
 */
export const newestMigration = (): number =>
  Math.max(...readMigrationFiles({ migrationsFolder: folder }).map(({ folderMillis }) => folderMillis));

/** A database's schema compared with this version's. `empty`: no data of Sigma yet. */
export type SchemaAge = 'current' | 'older' | 'newer' | 'empty';

/** Checks the schema of a database. */
export async function schemaAge(client: pg.Client): Promise<SchemaAge> {
  const { rows: found } = await client.query("select to_regclass('drizzle.__drizzle_migrations') as log");
  if (found[0]?.log === null) return 'empty';
  const { rows } = await client.query(
    'select max(created_at)::float8 as at from drizzle.__drizzle_migrations',
  );
  const at = Number(rows[0]?.at ?? 0);
  if (at === 0) return 'empty';
  const newest = newestMigration();
  if (at === newest) return 'current';
  return at < newest ? 'older' : 'newer';
}
