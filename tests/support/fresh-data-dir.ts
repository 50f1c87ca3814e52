import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '#server/database/open';
import { VERSION } from '#server/lib/version';

/** A data directory with an empty, migrated database that is not open. The caller removes it. */
export async function freshDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sigma-test-'));
  await cp(await template(), dataDir, { recursive: true });
  return dataDir;
}

/**
 * The template data directory, made once per program version, schema and engine version, and then copied.
 * Several test processes may make it at once: the first to finish wins.
 */
async function template(): Promise<string> {
  const migrations = fileURLToPath(new URL('../../server/database/migrations', import.meta.url));
  const hash = createHash('sha256').update(
    readFileSync(new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url)),
  );
  // A directory records the version that has used it; older versions then refuse it.
  hash.update(`noted: ${VERSION}`);
  for (const file of readdirSync(migrations).sort())
    if (file.endsWith('.sql')) hash.update(file).update(readFileSync(join(migrations, file)));
  const made = join(tmpdir(), `sigma-test-template-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(made)) return made;
  const unfinished = await mkdtemp(join(tmpdir(), 'sigma-test-template-unfinished-'));
  const database = await openDatabase({ dataDir: unfinished, databaseUrl: null });
  await database.close();
  await rename(unfinished, made).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(made)) throw error;
  });
  return made;
}
