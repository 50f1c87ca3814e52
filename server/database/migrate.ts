import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';

/** Any number: it only has to be the same in every instance, so that two that start at once take turns. */
const MIGRATION_LOCK = 771_220_261;

const folder = fileURLToPath(new URL('./migrations', import.meta.url));

/**
 * Brings a database to the newest schema, each migration in the same transaction or none.
 * @param client a connection without statement time-outs: a migration of many rows may take long
 */
export async function migrate(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
  try {
    await runMigrations(drizzle({ client }), { migrationsFolder: folder });
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
  }
}

/** When the newest migration of this version was made, in milliseconds: the number by which a database remembers it. */
export const newestMigration = (): number =>
  Math.max(...readMigrationFiles({ migrationsFolder: folder }).map(({ folderMillis }) => folderMillis));
