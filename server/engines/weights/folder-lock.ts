import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

/** The holder touches its lock this often; one that was not touched for STALE_MS has lost its holder. */
const TOUCH_MS = 2_000;
const STALE_MS = 15_000;
const POLL_MS = 300;

const holderSchema = z.object({ pid: z.number(), host: z.string(), token: z.string() });

export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Takes a lock file, so that of several processes with one MODELS_DIR only one fetches a bundle. A lock whose process
 * is gone is taken over at once on the same machine, after some seconds from another one (a container, a network disk).
 * @param onWait called once when another process holds it
 * @param isMoot stops the waiting: what the lock protects is there
 * @returns `null` when it became moot
 * @throws the signal's reason; system errors when the folder cannot be written
 */
export async function takeFolderLock(
  path: string,
  options: { signal: AbortSignal; onWait: () => void; isMoot: () => Promise<boolean> },
): Promise<FolderLock | null> {
  const token = randomUUID();
  const content = JSON.stringify({ pid: process.pid, host: hostname(), token });
  let waited = false;
  for (;;) {
    options.signal.throwIfAborted();
    await mkdir(dirname(path), { recursive: true });
    try {
      await writeFile(path, content, { flag: 'wx' });
      return held(path, token);
    } catch (error) {
      // ENOENT: another process has just let go and removed the empty folder.
      if (hasCode(error, 'ENOENT')) continue;
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    if (await removeIfLost(path)) continue;
    if (!waited) options.onWait();
    waited = true;
    await delay(POLL_MS, undefined, { signal: options.signal }).catch(() => options.signal.throwIfAborted());
    if (await options.isMoot()) return null;
  }
}

function held(path: string, token: string): FolderLock {
  const touch = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, TOUCH_MS);
  touch.unref();
  return {
    async release() {
      clearInterval(touch);
      const holder = await readHolder(path);
      if (holder?.token === token) await rm(path, { force: true });
      await rmdir(dirname(path)).catch(() => {}); // stays while others have locks in it
    },
  };
}

/** Moves a lost lock away under a name of its own first, so that of two who find it only one removes it. */
async function removeIfLost(path: string): Promise<boolean> {
  const holder = await readHolder(path);
  const info = await stat(path).catch(() => null);
  if (!info) return true;
  const untouchedMs = Date.now() - info.mtimeMs;
  const gone = holder?.host === hostname() && !isRunning(holder.pid);
  if (!gone && untouchedMs < STALE_MS) return false;
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return true;
  }
  const moved = await readHolder(aside);
  if (moved?.token !== holder?.token) await rename(aside, path).catch(() => {});
  await rm(aside, { force: true });
  return true;
}

async function readHolder(path: string): Promise<z.infer<typeof holderSchema> | null> {
  try {
    return holderSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
