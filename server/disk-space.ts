import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '#server/error-code';

/** So much stays free for what is written by every message: the database stops for good when its disk is full. */
const FLOOR_BYTES = 500_000_000;
const FLOOR_SHARE = 0.05;

interface DiskSpace {
  /** Bytes that this user may still write. */
  free: number;
  /** Bytes that recordings and backups leave free: 500 MB, or a twentieth of a small disk. */
  floor: number;
}

/** The disk on which a path lies, or would lie. */
export async function diskSpaceOf(path: string): Promise<DiskSpace> {
  try {
    const { bavail, blocks, bsize } = await statfs(path);
    return { free: bavail * bsize, floor: Math.min(FLOOR_BYTES, FLOOR_SHARE * blocks * bsize) };
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT';
    if (!isMissing || dirname(path) === path) throw error;
    return diskSpaceOf(dirname(path));
  }
}
