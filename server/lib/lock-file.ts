import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { codeOf } from '#server/lib/error-code';

/** The right to what a lock file stands for, held by one process until it is released or the process is gone. */
export interface LockFile {
  release(): Promise<void>;
}

export interface LockOptions {
  /** How long to wait for a holder that is alive, in milliseconds; by default until it lets go. */
  patienceMs?: number;
  /** Told once when there is something to wait for. */
  onWait?: () => void;
  /** Told when another process took the lock away, which only clocks or file systems gone wrong can do. */
  onLost?: () => void;
  signal?: AbortSignal;
  /** Times of the heartbeat in milliseconds: how often it beats, and how long a silence means that it stopped. */
  beatMs?: number;
  silentMs?: number;
}

/** Another process held the lock for longer than one was willing to wait. */
export class LockHeld extends Error {
  override readonly name = 'LockHeld';
  /** The holder's process, where its file can be read. */
  readonly pid: number | null;
  constructor(pid: number | null) {
    super('Another process holds the lock.');
    this.pid = pid;
  }
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
const POLL_MS = 100;
/** An unfinished takeover this old was left behind, also where nobody can tell whether its process is gone. */
const TAKEOVER_MS = 30_000;

/** The locks of this process. One with its number and another nonce is of an earlier process of the same number. */
const held = new Set<string>();

/**
 * Takes a lock file, and makes its folder when it is not there. It errs towards waiting: a lock is only taken over when
 * its holder is known to be gone. On another machine, or where the age of a process cannot be read, the holder's
 * heartbeat (the file's time) tells.
 * @throws LockHeld when another process holds it, is alive and patience ran out; the signal's reason
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
 * Makes the file with all that stands in it, or not at all: of a process that is killed in between nothing is seen under
 * its name. @returns false where there is one already
 */
async function create(path: string, holder: Holder): Promise<boolean> {
  const written = JSON.stringify(holder);
  const draft = `${path}.${holder.nonce}`;
  try {
    await writeFile(draft, written, { flag: 'wx', mode: 0o600 });
    await link(draft, path);
    return true;
  } catch (error) {
    // ENOENT: another process has just let go and removed the empty folder, or has tidied up.
    if (['EEXIST', 'ENOENT'].includes(codeOf(error))) return false;
    return createInPlace(path, written);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * For file systems that know no second name for a file, as those of memory sticks. In one go: a process that is killed in
 * between leaves a file that only its age tells anything of.
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

/** Those who were killed before theirs had its name left what they had written. */
async function tidyUp(path: string): Promise<void> {
  const folder = dirname(path);
  const isDraft = (name: string) =>
    name.startsWith(`${basename(path)}.`) && DRAFT.test(name.slice(basename(path).length + 1));
  for (const name of await readdir(folder).catch(() => []))
    if (isDraft(name)) await rm(join(folder, name), { force: true }).catch(() => {});
}
const DRAFT = /^(?:takeover\.)?[\da-f]{8}-[\da-f-]{27}$/;

/** One process at a time may replace a stale lock, and only while it is still the one that was found stale. */
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

/** Whoever was killed while it took a lock over left its guard behind, which is a stale lock like any other. */
async function takeOverGuard(guard: string, me: Holder): Promise<boolean> {
  const holder = await readHolder(guard);
  const life = lifeOf(holder, me);
  const isLeft = life === 'gone' || (life === null && (await ageOf(guard)) > TAKEOVER_MS);
  return isLeft && (await takeOver(guard, holder, me));
}

/** What the system knows of the holder's process; null where it cannot be asked. */
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
    return 'gone'; // The machine was started again since.
  }
  return null;
}

/**
 * Watches whether a lock's heart still beats, from look to look. A file that is old at first sight may belong to a
 * machine that just woke up: it gets the time of two beats.
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

/** Ended in all its threads, and only kept in the list of processes because its parent has not asked how it ended. */
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

/** The start of a process in clock ticks since boot. */
const processStart = (pid: number): string | null => statusOf(`${pid}`)?.[19] ?? null;

/** The fields of /proc/…/stat from the third one on, the state (proc(5)). Field 2 may hold spaces, so count from its end. */
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
