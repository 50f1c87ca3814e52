import { access, constants, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { codeOf } from '#server/lib/error-code';
import { type LockFile, LockHeld, type LockOptions, takeLockFile } from '#server/lib/lock-file';
import { StartError } from '#server/lib/start-error';

/** A killed process with a gigabyte of memory takes a moment to end, and a stopping one a moment to close. */
const PATIENCE_MS = 5_000;

/**
 * Locks a data directory for this process: two processes in one PostgreSQL directory silently lose rows.
 * @throws StartError when another process still holds it after a few seconds
 */
export async function lockDirectory(directory: string, options: LockOptions = {}): Promise<LockFile> {
  await makeUsable(directory);
  try {
    return await takeLockFile(join(resolve(directory), 'sigma.lock'), {
      patienceMs: PATIENCE_MS,
      ...options,
    });
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    throw new StartError(
      `The data directory ${resolve(directory)} is in use by another Sigma${error.pid === null ? '' : ` (process ${error.pid})`}: stop that one, or give this one a directory of its own, as in DATA_DIR=./data-2 npm start.`,
      { cause: error },
    );
  }
}

async function makeUsable(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = codeOf(error);
    throw new StartError(
      `The data directory ${resolve(directory)} (DATA_DIR) cannot be used: ${unusable[code] ?? `the system says ${code || error}`}.`,
      { cause: error },
    );
  }
}

const unusable: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'there is a file of that name',
  EROFS: 'the disk can only be read',
  ENOSPC: 'the disk is full',
};
