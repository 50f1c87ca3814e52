import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { codeOf } from '#server/lib/error-code';

/** A lock held by one process until it is released or the process is gone. */
export interface LockFile {
  release(): Promise<void>;
}

export interface LockOptions {
  /** How long to wait for a living holder, in milliseconds; default: until it releases. */
  patienceMs?: number;
  /** Called once if there is something to wait for. */
  onWait?: () => void;
  /** Called if another process took the lock away, which only faulty clocks or file systems can cause. */
  onLost?: () => void;
  signal?: AbortSignal;
  /** Heartbeat times in milliseconds: its interval, and the silence after which the holder counts as gone. */
  beatMs?: number;
  silentMs?: number;
}

/** Another process held the lock for longer than the caller was willing to wait. */
export class LockHeld extends Error {
  override readonly name = 'LockHeld';
  /** The holder's process, if its file is readable. */
  readonly pid: number | null;
  constructor(pid: number | null) {
    super('Another process holds the lock.');
    this.pid = pid;
  }
}

const holderSchema = z.object({
  pid: z.number().int().positive(),
  /**
   * Identifies the machine, its boot and (in a container) its process namespace: a pid is meaningful only
   * there.
   */
  machine: z.string(),
  /** Start of the process, in the kernel's count; null if unknown. Distinguishes a reused pid. */
  processStart: z.string().nullable(),
  nonce: z.string(),
});
type Holder = z.infer<typeof holderSchema>;

const BEAT_MS = 5_000;
/** Longer than a busy machine delays a beat. */
const SILENT_MS = 20_000;
const POLL_MS = 100;
/** An unfinished takeover this old was abandoned, even if its process cannot be checked. */
const TAKEOVER_MS = 30_000;

/** This process's locks. A lock with our pid and another nonce belongs to an earlier process. */
const held = new Set<string>();

/**
 * Takes a lock file, creating its folder if needed. When in doubt it waits: a lock is taken over only when
 * its holder is known to be gone. On another machine, or if a process's start time is unknown, the holder's
 * heartbeat (the file's time) decides.
 * @throws LockHeld when another living process holds it and patience ran out; the signal's reason
 */
export async function takeLockFile(path: string, options: LockOptions = {}): Promise<LockFile> {
  const { beatMs = BEAT_MS, silentMs = SILENT_MS, patienceMs = Number.POSITIVE_INFINITY, signal } = options;
  const me: Holder = { ...thisProcess(), nonce: randomUUID() };
  const heartbeat = watchHeartbeat(path, { beatMs, silentMs });
  let aliveSince: number | null = null;
  let waits = false;
  const taken = async () => {
    await tidyUp(path);
    return hold(path, me, beatMs, options.onLost);
  };
  held.add(me.nonce);
  try {
    for (;;) {
      signal?.throwIfAborted();
      await mkdir(dirname(path), { recursive: true });
      if (await create(path, me)) return await taken();
      const holder = await readHolder(path);
      const life = lifeOf(holder, me) ?? (await heartbeat());
      if (life === 'gone') {
        if (await takeOver(path, holder, me)) return await taken();
        aliveSince = null;
      }
      if (life === 'alive') aliveSince ??= Date.now();
      if (aliveSince !== null && Date.now() - aliveSince >= patienceMs)
        throw new LockHeld(holder?.pid ?? null);
      if (!waits) options.onWait?.();
      waits = true;
      await sleep(Math.min(beatMs / 2, POLL_MS), undefined, { signal }).catch(() => {});
    }
  } catch (error) {
    held.delete(me.nonce);
    throw error;
  }
}

function hold(path: string, me: Holder, beatMs: number, onLost: LockOptions['onLost']): LockFile {
  const beat = setInterval(async () => {
    const now = new Date();
    if ((await readHolder(path))?.nonce === me.nonce) return void utimes(path, now, now).catch(() => {});
    clearInterval(beat);
    onLost?.();
  }, beatMs).unref();
  return {
    async release() {
      clearInterval(beat);
      if ((await readHolder(path))?.nonce === me.nonce) await rm(path, { force: true });
      held.delete(me.nonce);
    },
  };
}

/**
 * Creates the file with its full content or not at all: a process killed meanwhile leaves nothing under its
 * name. @returns false if the file exists
 */
async function create(path: string, holder: Holder): Promise<boolean> {
  const written = JSON.stringify(holder);
  const draft = `${path}.${holder.nonce}`;
  try {
    await writeFile(draft, written, { flag: 'wx', mode: 0o600 });
    await link(draft, path);
    return true;
  } catch (error) {
    // ENOENT: another process has just released and removed the empty folder, or cleaned up.
    if (['EEXIST', 'ENOENT'].includes(codeOf(error))) return false;
    return createInPlace(path, written);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * For file systems without hard links, such as memory sticks. One synchronous step: a process killed
 * meanwhile leaves a file of which only the age is known.
 */
function createInPlace(path: string, written: string): boolean {
  try {
    writeFileSync(path, written, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(codeOf(error))) return false;
    throw error;
  }
}

/** Delete temporary lock files left by killed processes. */
async function tidyUp(path: string): Promise<void> {
  const folder = dirname(path);
  const isDraft = (name: string) =>
    name.startsWith(`${basename(path)}.`) && DRAFT.test(name.slice(basename(path).length + 1));
  for (const name of await readdir(folder).catch(() => []))
    if (isDraft(name)) await rm(join(folder, name), { force: true }).catch(() => {});
}
const DRAFT = /^(?:takeover\.)?[\da-f]{8}-[\da-f-]{27}$/;

/** Only one process at a time may replace a stale lock, and only while it is still the same one. */
async function takeOver(path: string, stale: Holder | null, me: Holder): Promise<boolean> {
  const guard = `${path}.takeover`;
  if (!(await create(guard, me)) && !(await takeOverGuard(guard, me))) return false;
  try {
    if ((await readHolder(path))?.nonce !== stale?.nonce) return false;
    await rm(path, { force: true });
    return await create(path, me);
  } finally {
    await rm(guard, { force: true });
  }
}

/** A process killed during a takeover leaves its guard behind, which is a stale lock like any other. */
async function takeOverGuard(guard: string, me: Holder): Promise<boolean> {
  const holder = await readHolder(guard);
  const life = lifeOf(holder, me);
  const isLeft = life === 'gone' || (life === null && (await ageOf(guard)) > TAKEOVER_MS);
  return isLeft && (await takeOver(guard, holder, me));
}

/** What the system knows about the holder's process; null if it cannot tell. */
function lifeOf(holder: Holder | null, me: Holder): 'alive' | 'gone' | null {
  if (holder?.machine === me.machine) {
    if (holder.pid === me.pid) return held.has(holder.nonce) ? 'alive' : 'gone';
    if (!isRunning(holder.pid)) return 'gone';
    const start = processStart(holder.pid);
    if (start !== null && holder.processStart !== null)
      return start === holder.processStart ? 'alive' : 'gone';
  } else if (
    holder &&
    hostOf(holder.machine) === hostOf(me.machine) &&
    bootOf(holder.machine) !== bootOf(me.machine)
  ) {
    return 'gone'; // The machine has restarted since.
  }
  return null;
}

/**
 * Watches a lock's heartbeat from check to check. A file that is old at first sight may belong to a machine
 * that just woke up, so it gets the time of two beats.
 */
function watchHeartbeat(
  path: string,
  { beatMs, silentMs }: { beatMs: number; silentMs: number },
): () => Promise<'alive' | 'gone' | null> {
  let beatAt: number | null = null;
  let goneAt = 0;
  return async () => {
    const { mtimeMs } = (await stat(path).catch(() => null)) ?? {};
    if (mtimeMs === undefined) return 'gone';
    if (mtimeMs === beatAt) return Date.now() < goneAt ? null : 'gone';
    const isFirst = beatAt === null;
    beatAt = mtimeMs;
    goneAt = Date.now() + (isFirst && Date.now() - mtimeMs > silentMs ? 2 * beatMs : silentMs);
    return isFirst ? null : 'alive';
  };
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

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  return !isZombie(pid);
}

/** The process has ended in all its threads and only waits for its parent to read its status. */
function isZombie(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).every((thread) =>
      /^[ZX]$/.test(statusOf(`${pid}/task/${thread}`)?.[0] ?? ''),
    );
  } catch {
    return false;
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

/** Start of a process in clock ticks since boot. */
const processStart = (pid: number): string | null => statusOf(`${pid}`)?.[19] ?? null;

/**
 * The fields of /proc/…/stat from the third, the state (proc(5)). Field 2 may contain spaces, so parse after
 * its end.
 */
function statusOf(task: string): string[] | null {
  const line = read(`/proc/${task}/stat`);
  return line?.slice(line.lastIndexOf(')') + 2).split(' ') ?? null;
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}
