import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DiskSpace, diskSpaceOf } from '#server/lib/disk-space';
import { openReserve, RESERVE } from './reserve.ts';

/** Tracks whether the disk has room for the database's writes. */
export interface DiskRoom {
  /** The database must not write, so that it can still be read. */
  readonly isFull: boolean;
  /**
   * Called when the database stopped for lack of space. Releases the reserve, so that it can be opened again;
   * without a reserve, waits until another attempt is worthwhile.
   * @param attempt number of attempts in a row, from 0
   */
  makeRoom(attempt: number, signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

export interface DiskRoomOptions {
  dataDir: string;
  /** Whether disk space is reserved for a database that finds none. */
  hasReserve: boolean;
  onChange(isFull: boolean): void;
  /** Replaces the disk, for tests. */
  spaceOf?: (path: string) => Promise<Pick<DiskSpace, 'free' | 'databaseFloor'>>;
  /** Interval of checks in milliseconds; default 2,000. */
  everyMs?: number;
}

/**
 * Two files of the write-ahead log: PostgreSQL creates one to recover, and may create another while it is
 * only read.
 */
const RESERVE_BYTES = 32 * 1024 * 1024;
/** One file of the log, and a margin. */
const RECOVERY_BYTES = 20 * 1024 * 1024;
const EVERY_MS = 2_000;
/** Retry interval where the system reports no space although there is some, as with a user's quota. */
const TRY_ANYWAY_MS = 30_000;

/**
 * Watches the disk of a data directory. The reserve is created later, so that it does not delay the start.
 */
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
    // A quarter more than the floor, so that a disk at its limit does not alternate with each check.
    if (free < missing + 1.25 * databaseFloor) return;
    // If the reserve can be created there is room, whatever the system reports.
    if (missing > 0 && !(await reserve?.take(stopping.signal))) return;
    become(false);
  }

  /** In order: a reserve that is being created is not released meanwhile. */
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
