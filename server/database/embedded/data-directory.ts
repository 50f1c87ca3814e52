import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentOfEngines } from '#server/lib/environment';
import { StartError } from '#server/lib/start-error';
import { VERSION } from '#server/lib/version';
import { isNewer, lastUseOf } from './last-use.ts';
import { unpackNewDirectory } from './new-directory.ts';

/** Major version of the embedded PostgreSQL; its data directories fit no other. */
const POSTGRES_VERSION = '18';

/**
 * Ensures a complete PostgreSQL data directory below `dataDir`. A new one is a copy of the build's. Without
 * that, a separate process creates it, since this takes some 600 MB more than running it, which a thread
 * would leave to this process. Both work under a temporary name, so that an interrupted attempt is never
 * taken for a complete directory.
 * @param archive the build's data directory, as a file
 * @returns its path
 * @throws StartError if a newer version has used it, if it belongs to another version of PostgreSQL, or
 * cannot be created
 */
export async function prepareDataDirectory(dataDir: string, archive?: string): Promise<string> {
  const directory = join(dataDir, 'database');
  if (existsSync(directory)) {
    const { postgres, sigma } = await lastUseOf(directory);
    if (sigma !== null && isNewer(sigma))
      throw new StartError(
        `The data directory ${dataDir} was used by Sigma ${sigma}, and this is Sigma ${VERSION}: start that version or a newer one, or restore a backup of this one.`,
      );
    if (postgres !== POSTGRES_VERSION)
      throw new StartError(
        `The folder ${directory} holds no database of this version of Sigma (PostgreSQL ${POSTGRES_VERSION}): move it away, or choose another data directory with DATA_DIR.`,
      );
    return directory;
  }
  await removeUnfinished(dataDir);
  // A unique name: the creator from a killed process's attempt may still be running.
  const unfinished = await mkdtemp(join(dataDir, UNFINISHED));
  const isUnpacked = await unpackNewDirectory(unfinished, archive).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The database in ${directory} could not be made: ${reason}`, { cause: error });
  });
  if (!isUnpacked) await makeDirectory(unfinished);
  await rename(unfinished, directory);
  await syncDirectory(dataDir);
  return directory;
}

const UNFINISHED = 'database.unfinished-';

async function removeUnfinished(dataDir: string): Promise<void> {
  // A directory that cannot be removed does no harm.
  for (const name of await readdir(dataDir))
    if (name.startsWith(UNFINISHED)) await rm(join(dataDir, name), { recursive: true }).catch(() => {});
}

async function makeDirectory(directory: string): Promise<void> {
  const fromSource = import.meta.url.endsWith('.ts');
  const program = fileURLToPath(new URL(`./make-directory.${fromSource ? 'ts' : 'js'}`, import.meta.url));
  const maker = fork(program, [directory], {
    execArgv: fromSource ? ['--conditions=sigma-source', '--import', 'tsx'] : [],
    env: environmentOfEngines(),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let complaint = '';
  maker.stderr?.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk}`.slice(-2_000);
  });
  const [code, signal] = await once(maker, 'close');
  if (code !== 0)
    throw new StartError(
      `The database in ${directory} could not be made (${signal ?? `code ${code}`}): ${lastLine(complaint)}`,
    );
}

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? '';

/** Makes the new name survive a power failure. Windows has no such call for folders and needs none. */
async function syncDirectory(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
