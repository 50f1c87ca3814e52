import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/postgres.ts';
import { type SchemaAge, schemaAge } from './migrate.ts';
import type { Db } from './open.ts';
import { checkServer } from './postgres-server.ts';
import * as schema from './schema.ts';

/**
 * Opens a database, recovering it if needed, checks its schema and closes it. Nothing is migrated.
 * @param place a PostgreSQL server, or the directory of an embedded database that no other process uses
 * @param read reads more from a database with this version's schema
 * @throws when it cannot be opened; any error of `read`
 */
export async function inspectDatabase(
  place: { url: string } | { directory: string },
  read: (db: Db) => Promise<void> = async () => {},
): Promise<SchemaAge> {
  if ('url' in place) {
    await checkServer(place.url);
    return look(new pg.Client({ connectionString: place.url }), read);
  }
  const postgres: EmbeddedPostgres = await startEmbeddedPostgres(place);
  try {
    return await look(
      new pg.Client({ user: 'postgres', database: 'postgres', stream: () => postgres.connect() }),
      read,
    );
  } finally {
    await postgres.close();
  }
}

async function look(client: pg.Client, read: (db: Db) => Promise<void>): Promise<SchemaAge> {
  client.on('error', () => {});
  await client.connect();
  try {
    const age = await schemaAge(client);
    if (age === 'current') await read(drizzle({ client, schema }));
    return age;
  } finally {
    await client.end().catch(() => {});
  }
}
