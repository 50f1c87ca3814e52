import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/postgres.ts';
import { type SchemaAge, schemaAge } from './migrate.ts';
import { checkServer } from './postgres-server.ts';

/**
 * Opens a database, recovering it where that is due, looks at its schema and closes it. Nothing is migrated.
 * @param place a PostgreSQL server, or the directory of an embedded database that no other process uses
 * @throws when it cannot be opened
 */
export async function inspectDatabase(place: { url: string } | { directory: string }): Promise<SchemaAge> {
  if ('url' in place) {
    await checkServer(place.url);
    return look(new pg.Client({ connectionString: place.url }));
  }
  const postgres: EmbeddedPostgres = await startEmbeddedPostgres(place);
  try {
    return await look(
      new pg.Client({ user: 'postgres', database: 'postgres', stream: () => postgres.connect() }),
    );
  } finally {
    await postgres.close();
  }
}

async function look(client: pg.Client): Promise<SchemaAge> {
  client.on('error', () => {});
  await client.connect();
  try {
    return await schemaAge(client);
  } finally {
    await client.end().catch(() => {});
  }
}
