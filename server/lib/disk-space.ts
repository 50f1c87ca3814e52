import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '#server/lib/error-code';

/** Reserved for what every message writes. */
const FLOOR_BYTES = 500_000_000;
const FLOOR_SHARE = 0.05;
/** Four files of the write-ahead log: the database stops when there is no space for the next one. */
const DATABASE_FLOOR_BYTES = 64 * 1024 * 1024;

export interface DiskSpace {
  /** Bytes that this user may still write. */
  free: number;
  /** Bytes that recordings and backups must leave free: 500 MB, or a twentieth of a small disk. */
  floor: number;
  /** Bytes that all other writes must leave free: 64 MiB, or half of the floor of a small disk. */
  databaseFloor: number;
}

/** The disk that holds a path, or would hold it. */
export async function diskSpaceOf(path: string): Promise<DiskSpace> {
  try {
    const { bavail, blocks, bsize } = await statfs(path);
    const floor = Math.min(FLOOR_BYTES, FLOOR_SHARE * blocks * bsize);
    return { free: bavail * bsize, floor, databaseFloor: Math.min(DATABASE_FLOOR_BYTES, floor / 2) };
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT';
    if (!isMissing || dirname(path) === path) throw error;
    return diskSpaceOf(dirname(path));
  }
}
