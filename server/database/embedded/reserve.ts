import { randomBytes } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Bytes kept on the disk so that they can be given up when it is full. */
interface Reserve {
  readonly isThere: boolean;
  /**
   * Takes the bytes, unless they are taken already.
   * @returns whether they are taken now; not where the disk has no room for them, or the signal aborts
   */
  take(signal: AbortSignal): Promise<boolean>;
  /** @returns whether there was anything to give up */
  giveUp(): Promise<boolean>;
}

/** Its name in the data directory. */
export const RESERVE = 'reserve';

const PIECE_BYTES = 1024 * 1024;
const random = promisify(randomBytes);

/**
 * A reserve in a file, which outlives the process.
 * @param bytes a whole number of MiB
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

/** Random bytes: a file system that compresses, or leaves out zeros, would keep no room for them. */
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
