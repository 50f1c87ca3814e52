import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/postgres.ts';
import { newestMigration } from './migrate.ts';
import { checkServer } from './postgres-server.ts';

/** How the schema of a database stands to that of this version of Sigma. `empty`: it holds nothing of Sigma yet. */
export type SchemaAge = 'current' | 'older' | 'newer' | 'empty';

/**
 * Opens a database, recovering it where that is due, looks at its schema and closes it. Nothing is migrated.
 * @param place a PostgreSQL server, or the directory of an embedded database that no other process uses
 * @throws when it cannot be opened
 */
export async function inspectDatabase(place: { url: string } | { directory: string }): Promise<SchemaAge> {
  if ('url' in place) {
    await checkServer(place.url);
    return schemaAge(new pg.Client({ connectionString: place.url }));
  }
  const postgres: EmbeddedPostgres = await startEmbeddedPostgres(place);
  try {
    return await schemaAge(
      new pg.Client({ user: 'postgres', database: 'postgres', stream: () => postgres.connect() }),
    );
  } finally {
    await postgres.close();
  }
}

async function schemaAge(client: pg.Client): Promise<SchemaAge> {
  client.on('error', () => {});
  await client.connect();
  try {
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
  } finally {
    await client.end().catch(() => {});
  }
}
