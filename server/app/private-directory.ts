import type { Stats } from 'node:fs';
import { chmod, lstat, opendir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { codeOf } from '#server/lib/error-code';
import type { Logger } from '#server/telemetry/logger';

/** The permission bits of group and others. */
const OTHERS = 0o077;
const STICKY = 0o1000;
/** Files handled in a row before other work runs. */
const AT_ONCE = 50;
const BREATH_MS = 10;
/** Sigma's own entries in a data directory that holds other things, too. */
const OURS = /^(?:database|recordings|vectors|reserve|room-keys\.json|sigma\.lock|backup\.sock)/;

/** Makes new files of this process private to its owner, whatever the umask was. Windows has no such modes. */
export const makePrivately = (): void => void process.umask(OTHERS);

/** Makes a directory private to its owner; its contents are then unreachable for others. A missing one is skipped. */
export async function closeToOthers(directory: string, logger: Pick<Logger, 'warn'>): Promise<void> {
  if (process.platform === 'win32') return;
  const found = await stat(directory).catch(() => null);
  if (!found || (found.mode & OTHERS) === 0) return;
  if (await isForOthers(directory, found))
    return logger.warn('the data directory holds other things, too: others may look into it');
  await chmod(directory, 0o700).catch((error: unknown) =>
    logger.warn({ err: error }, 'the data directory belongs to somebody else: others may look into it'),
  );
}

/**
 * Makes everything below a directory private to its owner, a few files at a time, since years of files are many. Does
 * not follow links. Never rejects.
 */
export async function closeBelow(
  directory: string,
  logger: Pick<Logger, 'info' | 'warn'>,
  signal: AbortSignal,
): Promise<void> {
  if (process.platform === 'win32') return;
  let looked = 0;
  let closed = 0;
  let refused = 0;

  async function close(path: string): Promise<Stats | null> {
    try {
      const found = await lstat(path);
      if (found.isSymbolicLink()) return null;
      if ((found.mode & OTHERS) !== 0) {
        await chmod(path, found.mode & 0o700);
        closed++;
      }
      return found;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') refused++;
      return null;
    }
  }

  async function walk(folder: string, isMeant: (name: string) => boolean): Promise<void> {
    for await (const { name } of await opendir(folder)) {
      if (signal.aborted) return;
      if (!isMeant(name)) continue;
      const path = join(folder, name);
      const found = await close(path);
      if (++looked % AT_ONCE === 0) await pause(BREATH_MS, undefined, { ref: false });
      if (found?.isDirectory()) await walk(path, () => true).catch(() => {});
    }
  }

  try {
    const isShared = (await isForOthers(directory, await stat(directory))) || (await isHome(directory));
    await walk(directory, (name) => !isShared || OURS.test(name));
    if (closed > 0) logger.info({ closed }, 'files in the data directory were closed to others');
    if (refused > 0) logger.warn({ refused }, 'files in the data directory belong to somebody else');
  } catch (error) {
    logger.warn({ err: error }, 'the data directory could not be closed to others');
  }
}

/** Directories for shared files, other people's homes, or this program: others need access there. */
async function isForOthers(directory: string, { mode }: Stats): Promise<boolean> {
  if ((mode & STICKY) !== 0) return true;
  const real = await realpath(directory);
  const program = fileURLToPath(new URL('..', import.meta.url));
  return [dirname(homedir()), program].some((place) => !/^\.\.(?:\/|$)/.test(relative(real, place)));
}

/** A home directory may be private, but its other contents are not ours. */
const isHome = async (directory: string) => (await realpath(directory)) === resolve(homedir());
