import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate disk that can be filled. */
export interface SmallDisk {
  path: string;
  /** Writes until about this many bytes are left. */
  fill(left: number): Promise<void>;
  empty(): Promise<void>;
  remove(): void;
}

/** A file system in memory; null if this user may not mount one: not root, or not on Linux. */
export function openSmallDisk(megabytes: number): SmallDisk | null {
  if (process.platform !== 'linux') return null;
  const path = mkdtempSync(join(tmpdir(), 'sigma-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', path], { stdio: 'ignore' });
  } catch {
    rmdirSync(path);
    return null;
  }
  const filler = join(path, 'filler');
  return {
    path,
    async fill(left) {
      const { bavail, bsize } = await statfs(path);
      const file = await open(filler, 'a');
      try {
        await file.writeFile(Buffer.alloc(Math.max(0, bavail * bsize - left)));
      } finally {
        await file.close();
      }
    },
    empty: () => rm(filler, { force: true }),
    remove() {
      execFileSync('umount', ['--lazy', path]);
      rmdirSync(path);
    },
  };
}
