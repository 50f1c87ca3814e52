import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packNewDirectory } from './embedded/new-directory.ts';
import { openDatabase } from './open.ts';

/*
 * A step of the build: makes a database with today's schema and nothing in it, and packs its files for first starts to
 * unpack. PostgreSQL takes seconds and 600 MB to make one, and a server that is killed in the midst of its first start,
 * or a container with an empty volume, would take them anew each time.
 */
const dataDir = await mkdtemp(join(tmpdir(), 'sigma-new-database-'));
try {
  const database = await openDatabase({ dataDir, databaseUrl: null });
  await database.close();
  await packNewDirectory(join(dataDir, 'database'));
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
