import { randomBytes } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Disk space kept to be released when the disk is full. */
interface Reserve {
  readonly isThere: boolean;
  /**
   * Reserves the space, if not reserved yet.
   * @returns whether it is reserved now; false if the disk has no room or the signal aborts
   */
  take(signal: AbortSignal): Promise<boolean>;
  /** @returns whether there was anything to release */
  giveUp(): Promise<boolean>;
}

/** File name in the data directory. */
export const RESERVE = 'reserve';

const PIECE_BYTES = 1024 * 1024;
const random = promisify(randomBytes);

/**
 * A reserve in a file, which outlives the process.
 * @param bytes a multiple of MiB
 */
export async function openReserve(file: string, bytes: number): Promise<Reserve> {
  let isThere = (await stat(file).catch(() => null))?.size === bytes;

  return {
    get isThere() {
      return isThere;
    },
    async take(signal) {
      if (isThere) return true;
      const part = `${file}.part`;
      try {
        await write(part, bytes, signal);
        await rename(part, file);
        isThere = true;
      } catch {
        await rm(part, { force: true }).catch(() => {});
      }
      return isThere;
    },
    async giveUp() {
      if (!isThere) return false;
      await rm(file, { force: true }).catch(() => {});
      isThere = false;
      return true;
    },
  };
}

/** Random bytes: a file system that compresses or skips zeros would not reserve space. */
async function write(file: string, bytes: number, signal: AbortSignal): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    for (let written = 0; written < bytes; written += PIECE_BYTES) {
      signal.throwIfAborted();
      await handle.writeFile(await random(PIECE_BYTES));
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}
