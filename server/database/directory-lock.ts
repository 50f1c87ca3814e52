import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { access, constants, mkdir, open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { StartError } from '#server/start-error';

/** The right to use a data directory, held by one process until it is released or the process is gone. */
export interface DirectoryLock {
  release(): Promise<void>;
}

const holderSchema = z.object({
  pid: z.number().int().positive(),
  /** The machine, its boot and (in a container) its process namespace: only there a pid means anything. */
  machine: z.string(),
  /** When the process began, in the kernel's own count; null where that is unknown. A pid used again differs in it. */
  processStart: z.string().nullable(),
  nonce: z.string(),
});
type Holder = z.infer<typeof holderSchema>;

const BEAT_MS = 5_000;
/** Longer than a busy machine keeps a beat waiting. */
const SILENT_MS = 20_000;
/** An unfinished takeover this old was left behind by a process that was killed in it. */
const TAKEOVER_MS = 30_000;

const heldHere = new Set<string>();

/**
 * Locks a data directory for this process. Two processes in one PostgreSQL directory silently lose rows, so this
 * errs towards refusing: a lock is only taken over when its holder is known to be gone. On another machine, or where
 * the age of a process cannot be read, its heartbeat (the file's time) tells.
 * @param options.beatMs,options.silentMs times of the heartbeat in milliseconds
 * @param options.onLost told when another process took the lock away, which only clocks or file systems gone wrong can do
 * @throws StartError when another process holds it
 */
export async function lockDirectory(
  directory: string,
  options: { beatMs?: number; silentMs?: number; onLost?: () => void } = {},
): Promise<DirectoryLock> {
  const { beatMs = BEAT_MS, silentMs = SILENT_MS } = options;
  const path = join(resolve(directory), 'sigma.lock');
  await makeUsable(directory);
  const me: Holder = { ...thisProcess(), nonce: randomUUID() };
  if (heldHere.has(path) || !(await create(path, me))) {
    const holder = await readHolder(path);
    if (heldHere.has(path) || !(await isGone(path, holder, { beatMs, silentMs })))
      throw refusal(directory, holder);
    if (!(await takeOver(path, holder, me))) throw refusal(directory, await readHolder(path));
  }
  heldHere.add(path);

  const beat = setInterval(async () => {
    const now = new Date();
    const holder = await readHolder(path);
    if (holder?.nonce === me.nonce) return void utimes(path, now, now).catch(() => {});
    clearInterval(beat);
    options.onLost?.();
  }, beatMs);
  beat.unref();
  return {
    async release() {
      clearInterval(beat);
      heldHere.delete(path);
      if ((await readHolder(path))?.nonce === me.nonce) await rm(path, { force: true });
    },
  };
}

async function makeUsable(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
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

const refusal = (directory: string, holder: Holder | null) =>
  new StartError(
    `The data directory ${resolve(directory)} is in use by another Sigma${holder ? ` (process ${holder.pid})` : ''}: stop that one, or give this one a directory of its own, as in DATA_DIR=./data-2 npm start.`,
  );

/** Writes the whole file before anybody can see it half: it is made exclusively and read again by nobody until closed. */
async function create(path: string, holder: Holder): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(JSON.stringify(holder));
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** One process at a time may replace a stale lock, and only while it is still the one that was found stale. */
async function takeOver(path: string, stale: Holder | null, me: Holder): Promise<boolean> {
  const guard = `${path}.takeover`;
  if ((await ageOf(guard)) > TAKEOVER_MS) await rm(guard, { force: true });
  if (!(await create(guard, me))) return false;
  try {
    if ((await readHolder(path))?.nonce !== stale?.nonce) return false;
    await rm(path, { force: true });
    return await create(path, me);
  } finally {
    await rm(guard, { force: true });
  }
}

async function isGone(
  path: string,
  holder: Holder | null,
  { beatMs, silentMs }: { beatMs: number; silentMs: number },
): Promise<boolean> {
  const me = thisProcess();
  if (holder?.machine === me.machine) {
    if (!isAlive(holder.pid)) return true;
    if (holder.pid === me.pid) return true; // This process holds no such lock: the number was used again.
    const start = processStart(holder.pid);
    if (start !== null && holder.processStart !== null) return start !== holder.processStart;
  } else if (
    holder &&
    hostOf(holder.machine) === hostOf(me.machine) &&
    bootOf(holder.machine) !== bootOf(me.machine)
  ) {
    return true; // The machine was started again since.
  }
  // Unknown: watch whether the lock's heart still beats. A file that is old now may belong to a machine that just woke up.
  const seen = await stat(path).catch(() => null);
  if (!seen) return true;
  const patience = Date.now() - seen.mtimeMs > silentMs ? 2 * beatMs : silentMs;
  const until = Date.now() + patience;
  while (Date.now() < until) {
    await sleep(Math.min(beatMs / 2, 500));
    const now = await stat(path).catch(() => null);
    if (!now) return true;
    if (now.mtimeMs !== seen.mtimeMs) return false;
  }
  return true;
}

async function readHolder(path: string): Promise<Holder | null> {
  try {
    return holderSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}

async function ageOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  return found ? Date.now() - found.mtimeMs : 0;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function thisProcess(): Omit<Holder, 'nonce'> {
  const boot = read('/proc/sys/kernel/random/boot_id') ?? '';
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has it.
  }
  return {
    pid: process.pid,
    machine: [hostname(), boot, namespace].join('|'),
    processStart: processStart(process.pid),
  };
}

const hostOf = (machine: string) => machine.split('|')[0];
const bootOf = (machine: string) => machine.split('|')[1];

/** Field 22 of /proc/PID/stat (proc(5)): the start in clock ticks since boot. Field 2 may hold spaces, so count from its end. */
function processStart(pid: number): string | null {
  const line = read(`/proc/${pid}/stat`);
  return line?.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}
