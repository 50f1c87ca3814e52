import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DiskSpace, diskSpaceOf } from '#server/lib/disk-space';
import { openReserve, RESERVE } from './reserve.ts';

/** Whether the disk has room for what the database writes. */
export interface DiskRoom {
  /** Nothing may be written, so that what is there can be read. */
  readonly isFull: boolean;
  /**
   * The database has stopped because it found no room. Gives up the reserve, so that it can be opened again; without one,
   * waits until another try is worth it.
   * @param attempt how often it was tried in a row, from 0
   */
  makeRoom(attempt: number, signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

export interface DiskRoomOptions {
  dataDir: string;
  /** Whether a part of the disk is kept for a database that finds no room. */
  hasReserve: boolean;
  onChange(isFull: boolean): void;
  /** Tests have disks of their own. */
  spaceOf?: (path: string) => Promise<Pick<DiskSpace, 'free' | 'databaseFloor'>>;
  /** How often it looks, in milliseconds; 2,000. */
  everyMs?: number;
}

/** Two files of the write-ahead log: PostgreSQL begins one to recover, and may begin another while it is only read. */
const RESERVE_BYTES = 32 * 1024 * 1024;
/** One file of the log and some more. */
const RECOVERY_BYTES = 20 * 1024 * 1024;
const EVERY_MS = 2_000;
/** Where the system tells of no room although there is some, as with a quota of a user. */
const TRY_ANYWAY_MS = 30_000;

/** Watches the disk of a data directory. The reserve is taken later: a start does not wait for it. */
export async function watchRoom(options: DiskRoomOptions): Promise<DiskRoom> {
  const { dataDir, onChange, spaceOf = diskSpaceOf, everyMs = EVERY_MS } = options;
  const reserve = options.hasReserve ? await openReserve(join(dataDir, RESERVE), RESERVE_BYTES) : null;
  const stopping = new AbortController();
  let isFull = false;
  let looking: Promise<void> = Promise.resolve();

  function become(full: boolean): void {
    if (full === isFull) return;
    isFull = full;
    onChange(full);
  }

  async function look(): Promise<void> {
    const space = await spaceOf(dataDir).catch(() => null);
    if (!space) return;
    const missing = reserve && !reserve.isThere ? RESERVE_BYTES : 0;
    const { free, databaseFloor } = space;
    if (free < databaseFloor) return become(true);
    // A quarter more than the floor, so that a disk at its edge does not change its mind with each look.
    if (free < missing + 1.25 * databaseFloor) return;
    // A reserve that can be taken shows that there is room, whatever the system says is free.
    if (missing > 0 && !(await reserve?.take(stopping.signal))) return;
    become(false);
  }

  /** One after the other: what is being taken is not given up meanwhile. */
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const done = looking.then(task);
    looking = done.then(
      () => {},
      () => {},
    );
    return done;
  };
  const timer = setInterval(() => void inTurn(look), everyMs);
  timer.unref();
  const now = await spaceOf(dataDir).catch(() => null);
  if (now && now.free < now.databaseFloor) become(true);

  return {
    get isFull() {
      return isFull;
    },
    async makeRoom(attempt, signal) {
      const given = await inTurn(async () => {
        become(true);
        return reserve?.giveUp() ?? false;
      });
      if (given || attempt === 0) return;
      for (let waited = 0; waited < TRY_ANYWAY_MS && !signal.aborted; waited += everyMs) {
        await sleep(everyMs, undefined, { signal, ref: false }).catch(() => {});
        const space = await spaceOf(dataDir).catch(() => null);
        if (space && space.free > RECOVERY_BYTES) return;
      }
    },
    stop() {
      clearInterval(timer);
      stopping.abort();
      return looking;
    },
  };
}
