import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packNewDirectory } from './embedded/new-directory.ts';
import { openDatabase } from './open.ts';

/*
 * A build step: creates an empty database with the current schema and packs its files, which first starts
 * unpack. PostgreSQL takes seconds and 600 MB to create one, and a server killed during its first start, or a
 * container with an empty volume, would need them again each time.
 */
const dataDir = await mkdtemp(join(tmpdir(), 'sigma-new-database-'));
try {
  const database = await openDatabase({ dataDir, databaseUrl: null });
  await database.close();
  await packNewDirectory(join(dataDir, 'database'));
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
