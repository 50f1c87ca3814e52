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

/** The major version of the embedded PostgreSQL; its data directories fit no other one. */
const POSTGRES_VERSION = '18';

/**
 * Makes sure that there is a whole PostgreSQL data directory below `dataDir`.
 * A new one is a copy of what the build made. Where there is none it is made in a process of its own, because that takes
 * some 600 MB more than running it, which a thread would leave to this process. Either happens under another name, so
 * that one interrupted half-way is never taken for a whole one.
 * @param archive what the build made, as a file
 * @returns its path
 * @throws StartError when a newer version has used it, when it belongs to another version of PostgreSQL, or cannot be made
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
  // A name of its own: the maker of an attempt whose process was killed may still be at work.
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
  // One that cannot be removed does no harm.
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

/** Makes the new name outlive a power cut. Windows has no such call for folders and needs none. */
async function syncDirectory(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
